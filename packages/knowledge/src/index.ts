export type { Knowledge, Passage, SearchOptions } from "@nitka/server";
export type {
  KnowledgeStore,
  KnownPage,
  PageContent,
  PageFailure,
  PageVersion,
  ReadingResult,
  StoredPassage,
} from "./store/knowledge-store.ts";
export { readSources, type ReadSourcesOptions } from "./reading/read-sources.ts";
export type { ReadingProgress } from "./reading/reading-tally.ts";
export { type KnowledgeSource, sourceKeys } from "./reading/sources/knowledge-source.ts";
export type { ReadingLimits } from "./reading/sources/request.ts";
export { createKnowledge } from "./create-knowledge.ts";
export type { KnowledgeOptions } from "./create-knowledge.ts";
export { embedPassages } from "./search/search-meaning.ts";
export type { Embeddings } from "./search/search-meaning.ts";
export { openPostgresKnowledge } from "./store/open-postgres.ts";
export { openSqliteKnowledge } from "./store/open-sqlite.ts";
export { NoPagesError } from "./store/schema.ts";
export type { FoundPassage, ScoredPassage, SearchIndex, WantedWord } from "./store/knowledge-store.ts";
