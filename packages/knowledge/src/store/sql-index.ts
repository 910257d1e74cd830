import type { FoundPassage, SearchIndex, StoredPassage, WantedWord } from "./knowledge-store.ts";
import { part, present } from "./sql.ts";
import type { SqlDatabase, Statement } from "./sql.ts";

/** How soon further occurrences of a word stop raising the score (k1 of BM25). */
const SATURATION = 1;

/** How many passages are scored in full, and the most rows of `post` that are read to choose them. */
const CANDIDATES = 200;
const MAX_ROWS = 6000;

/** How many known words are read for each beginning of a word, and for each unknown word. */
const FAMILY_WORDS = 25;
const SIMILAR_WORDS = 60;

/** Sums of whole numbers do not depend on their order. Weights have three decimals and shares one, so 10,000 makes both whole. */
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
  /** The passages that a query has scored, the best first. */
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
      // The cross joins set the order of reading. A frequent word is looked up for each likely passage, because a plain join would
      // read all passages of the word.
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
      // A subquery looks up each count by its key. A join would read all words of the project.
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

/** Rare words choose the candidates. Frequent words are looked up for the candidates only, and raise a score by at most `lift`. */
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
