import type { FoundPassage, SearchIndex, StoredPassage, WantedWord } from "./knowledge-store.ts";
import { part, present } from "./sql.ts";
import type { SqlDatabase, Statement } from "./sql.ts";

/** How soon more of a word counts no more (BM25, k1). */
const SATURATION = 1;

/** The passages that are looked at closely, and the most rows of words that choose them. */
const CANDIDATES = 200;
const MAX_ROWS = 6000;

/** The known words that are looked at of those with one beginning, and of those that are like an unknown one. */
const FAMILY_WORDS = 25;
const SIMILAR_WORDS = 60;

/** Sums of whole parts are the same in any order. The weight of a word has three decimals, its share one. */
const WEIGHT_PARTS = 10_000;
const SCORE_PARTS = 1_000_000_000;

/** A passage as its table has it. */
export interface PassageRow {
  readonly headings: string;
  readonly anchor: string | null;
  readonly text: string;
}

const wantedColumns = { word: "text", asked: "bigint", share: "double precision", worth: "double precision" } as const;

interface CountRow {
  readonly word: string;
  readonly count: number | null;
}

/** What a search reads. */
export function createSearchIndex({ sql, dialect }: SqlDatabase): SearchIndex {
  const { table, isIn, rows, rowByRow } = dialect;
  /** What a query has found, the best first. */
  const found = async (scored: Statement): Promise<readonly FoundPassage[]> => {
    const listed = await sql<PassageRow & Omit<FoundPassage, keyof StoredPassage>>`
      select scored.id, score, url, title, headings, anchor, text from (${scored}) as scored
      join ${table("passage")} as passage on passage.id = scored.id
      join ${table("page")} as page on page.id = passage.page order by score desc, scored.id`;
    return listed.map(({ id, score, url, title, ...row }) => Object.assign(passageOf(row), { id, score, url, title }));
  };
  return {
    async vocabulary(projectId, words, beginnings = []) {
      const list = beginnings.map((beginning) => ({ beginning }));
      const counted = await sql<CountRow & { readonly beginning: string | null }>`
        select null as beginning, '' as word, cast(sum(passages) as bigint) as count from ${table("page")} where project = ${projectId}
        union all select null, word, count from ${table("word")} where project = ${projectId} and word ${isIn(words)}
        union all select beginning, word, count from
          (select beginning, word, count, row_number() over (partition by beginning order by count desc, word) as place
           from ${rows(list, { beginning: "text" })} join ${table("word")} as known
             on project = ${projectId} and word >= beginning and word < beginning || '\u{10ffff}') as placed
        where place <= ${FAMILY_WORDS}`;
      const counts = new Map<string, number>();
      const families = new Map(beginnings.map((beginning) => [beginning, new Map<string, number>()]));
      for (const { beginning, word, count } of counted)
        (beginning === null ? counts : families.get(beginning))?.set(word, count ?? 0);
      const size = counts.get("") ?? 0;
      counts.delete("");
      return { size, counts, families };
    },

    async best(projectId, wanted, limit, least) {
      const { rare, frequent, lift } = byRarity(wanted);
      const isCut = rare.length === 1 && rare.some(({ count }) => count > MAX_ROWS);
      const heaviest = isCut ? part`order by weight desc, passage limit ${MAX_ROWS}` : part``;
      const score = part`sum(round(${SCORE_PARTS} * worth * amount * ${SATURATION + 1}
        / (amount + ${SATURATION * WEIGHT_PARTS}))) / ${SCORE_PARTS} as score`;
      const worth = part`sum(round(${SCORE_PARTS} * worth
        * case when amount < ${WEIGHT_PARTS} then amount / ${WEIGHT_PARTS} else 1 end)) / ${SCORE_PARTS}`;
      // SQLite keeps the order of a cross join. Frequent words are looked up one by one: a join would read all that they have.
      return found(part`
        with rare as materialized (select * from ${rows(rare, wantedColumns)}),
        frequent as materialized (select * from ${rows(frequent, wantedColumns)}),
        chosen as (
          select asked, worth, passage, sum(round(share * weight * ${WEIGHT_PARTS})) as amount from
            (select asked, worth, passage, share, weight from rare cross join ${table("post")} as post
             where project = ${projectId} and post.word = rare.word ${heaviest}) as posts
          group by passage, asked, worth),
        ranked as (select passage, ${score} from chosen group by passage order by score desc, passage limit ${CANDIDATES}),
        likely as (select passage from ranked where score >=
          (select min(score) from (select score from ranked order by score desc limit ${limit}) as best) - ${lift}),
        whole as (
          select asked, worth, passage, sum(amount) as amount from
            (select asked, worth, passage, amount from chosen where passage in (select passage from likely)
             union all select asked, worth, passage, round(share * weight * ${WEIGHT_PARTS}) from frequent
             cross join ${rowByRow(part`${table("post")} as post where project = ${projectId} and post.word = frequent.word
               and passage ${isIn(part`select passage from likely`)}`)}) as posts
          group by passage, asked, worth)
        select passage as id, ${score} from whole group by passage
        having ${worth} >= ${least} order by score desc, passage limit ${limit}`);
    },

    async similar(projectId, grams) {
      const pieces = grams.flatMap((each, list) => each.map((piece) => ({ list, piece })));
      // The counts are looked up one by one: a join reads all words.
      const near = await sql<CountRow & { readonly list: number }>`
        select list, word,
          (select count from ${table("word")} as known where known.project = ${projectId} and known.word = near.word) as count
        from (select list, word, row_number() over (partition by list order by count(*) desc, word) as place
          from ${rows(pieces, { list: "bigint", piece: "text" })} join ${table("gram")} as known on project = ${projectId} and gram = piece group by list, word) as near
        where place <= ${SIMILAR_WORDS} order by list, place`;
      const lists = grams.map(() => new Map<string, number>());
      for (const { list, word, count } of near) lists[list]?.set(word, count ?? 0);
      return lists;
    },

    passages: async (scored) =>
      found(part`select id, score from ${rows(scored, { id: "bigint", score: "double precision" })}`),
  };
}

/**
 * Rare words choose the candidates; frequent ones are looked up for those alone, of which they raise a score by `lift` at most.
 */
function byRarity(wanted: readonly WantedWord[]) {
  const sorted = wanted.toSorted((one, other) => one.count - other.count);
  let found = 0;
  const end = sorted.findIndex(({ count }, at) => {
    found += count;
    return at > 0 && found > MAX_ROWS;
  });
  const rare = end === -1 ? sorted : sorted.slice(0, end);
  const frequent = sorted.slice(rare.length);
  const lifted = new Map(frequent.map(({ asked, worth }) => [asked, worth * (SATURATION + 1)]));
  return { rare, frequent, lift: [...lifted.values()].reduce((sum, each) => sum + each, 0) };
}

export function passageOf({ headings, anchor, text }: PassageRow): StoredPassage {
  return present<StoredPassage>({ headings: JSON.parse(headings) as readonly string[], anchor, text });
}
