/** Types that JavaScript modules of the studio share, for the type checker alone: pages do not load this file. */

/** [x1, y1, x2, y2] in pixels: corners ordered, edges between pixels. */
export type Box = [number, number, number, number];

export interface Size {
  width: number;
  height: number;
}

/** A box as documents have it. */
export interface BoxValue {
  space: string;
  xyxy: number[];
}

/** Fields of a document by name: JSON, which the server has checked. */
// biome-ignore lint/suspicious/noExplicitAny: the fields depend on the kind, which is known only at run time
export type Fields = Record<string, any>;

/** Kind and name identify a document of a screen, clip, pair or study. */
export interface DocumentName {
  kind: string;
  name: string;
}

/** A document in one version. */
export interface Revision extends DocumentName {
  version: number;
  author: string;
  created: string;
  document: Fields;
}

/** A revision with edits on top that the server does not have yet. */
export interface ShownRevision extends Revision {
  pending: boolean;
  /** Whether one of these edits waits for a decision. */
  stuck: boolean;
}

/** New values for fields of a document. */
export interface Edit extends DocumentName {
  set: Fields;
  /** The version that it was made after. */
  after?: number;
  /** The key of the batch that it was made on top of, where the server does not have that yet. */
  on?: string | null;
}

/** An edit with what undo needs: the values before it, and whether it made the document. */
export interface LoggedEdit extends DocumentName {
  set: Fields;
  before: Fields;
  made: boolean;
}

/** Edits that are saved in one go; the code calls it a stroke. */
export interface EditBatch {
  screen: string;
  key: string;
  label: string;
  created: string;
  state: "waiting" | "conflict" | "refused" | "aside";
  edits: Edit[];
  /** Until when it may still change and is not sent, in milliseconds since 1970. */
  held?: number;
  /** Why the server refused it. */
  detail?: string;
  /** What the server has instead, after a conflict. */
  there?: Revision[];
  refusedOnce?: boolean;
}

/** A batch as the storage of the browser has it. */
export interface StoredBatch extends EditBatch {
  id: number;
  project: string;
  person: string;
}

/** A batch that can be undone or redone. */
export interface UndoRow {
  /** Known when it is on the disk. */
  id?: number;
  key: string;
  label: string;
  edits: LoggedEdit[];
  undone: boolean;
  /** The key of the batch that undid or redid it last. */
  turned?: string;
  time: number;
}

/** What an edit batch changes in the undo history. */
export interface UndoChange {
  add?: UndoRow;
  put?: UndoRow;
  remove?: (number | undefined)[];
}

/** The server's answer to an edit batch. */
export interface SaveReply {
  entries: Revision[];
  problems?: Record<string, string[]>;
}

/** The server's answer about what others did. */
export interface ChangesReply {
  last: number;
  entries: Revision[];
  people: unknown[];
  problems?: Record<string, string[]>;
}

/** What tabs and parts of a page send to each other. */
export interface Message {
  type: string;
  /** null: perhaps any. */
  screen: string | null;
  key?: string;
  added?: boolean;
  entries?: Revision[];
  problems?: Record<string, string[]>;
}

/** Whose change it was; null: nobody is informed yet. */
export type ChangeSource = "me" | "others" | "undo" | null;

/** A region of the tree. */
export interface Region {
  name: string;
  title: string;
  box: Box;
  parent: string | null;
  depth: number;
  entry: Revision;
}

/** What the verifier says of a region. */
export interface Scores {
  completeness: number;
  bounded: boolean;
}
