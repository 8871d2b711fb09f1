/** Tables on this computer: IndexedDB, or memory where there is none. Both have the same two ways in. */

const NAME = "affordance-studio";
const VERSION = 1;

/** @typedef {Record<string, any>} Row */
/** @typedef {string | number} Key */

/**
 * What may be done in a transaction.
 * @typedef {object} Writing
 * @property {(table: string, value: string) => Promise<any[]>} all
 * @property {(table: string, key: Key) => Promise<any>} get
 * @property {(table: string, row: Row) => Promise<any>} put resolves to the key of the row
 * @property {(table: string, key: Key) => Promise<unknown>} remove
 */

/** @type {Record<string, {keyPath: string, autoIncrement?: boolean, by?: string}>} Table: its key, and the field that
 * its rows are found by. */
const TABLES = {
  strokes: { keyPath: "id", autoIncrement: true, by: "project" },
  log: { keyPath: "id", autoIncrement: true, by: "place" },
  saved: { keyPath: "key", by: "project" },
  leases: { keyPath: "owner" },
};

/** Rows in IndexedDB. What `change` has written is on the disk when it returns. */
export class KeptTables {
  #database;

  /** @param {IDBDatabase} database */
  constructor(database) {
    this.#database = database;
  }

  /** @returns {Promise<KeptTables>} rejects where there is no IndexedDB, as in some private windows */
  static async open() {
    const opening = indexedDB.open(NAME, VERSION);
    opening.onupgradeneeded = () => {
      for (const [name, { by, ...options }] of Object.entries(TABLES)) {
        const table = opening.result.createObjectStore(name, options);
        if (by) table.createIndex("by", by);
      }
    };
    const database = await answered(opening);
    // A newer version of the studio in another tab must not wait for this one.
    database.onversionchange = () => database.close();
    return new KeptTables(database);
  }

  /**
   * All rows of a table with this value, in the order in which they came.
   * @param {string} table
   * @param {string} value
   */
  async all(table, value) {
    return rows(this.#database.transaction(table).objectStore(table), value);
  }

  /**
   * One transaction: all of what `work` does, or nothing of it. `work` may wait for nothing but its table.
   * @template T
   * @param {(tables: Writing) => Promise<T>} work
   * @returns {Promise<T>}
   */
  async change(work) {
    const transaction = this.#database.transaction(Object.keys(TABLES), "readwrite", { durability: "strict" });
    /** @type {Promise<void>} */
    const done = new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error("the browser gave the transaction up"));
    });
    /** @type {Writing} */
    const writing = {
      all: (table, value) => rows(transaction.objectStore(table), value),
      get: (table, key) => answered(transaction.objectStore(table).get(key)),
      put: (table, row) => answered(transaction.objectStore(table).put(row)),
      remove: (table, key) => answered(transaction.objectStore(table).delete(key)),
    };
    let result;
    try {
      result = await work(writing);
    } catch (error) {
      done.catch(() => {});
      if (!transaction.error) aborted(transaction);
      throw error;
    }
    await done;
    return result;
  }
}

/** Rows in the memory of this page, where nothing can be kept. */
export class MemoryTables {
  /** @type {Record<string, Map<Key, Row>>} */
  #tables = Object.fromEntries(Object.keys(TABLES).map((name) => [name, new Map()]));
  #next = 1;
  /** @type {Promise<unknown>} */
  #turn = Promise.resolve();

  /** @param {Record<string, Row[]>} [rowsByTable] what there is at the beginning */
  constructor(rowsByTable = {}) {
    for (const [name, list] of Object.entries(rowsByTable)) {
      for (const row of list) this.#put(name, row);
    }
  }

  /**
   * @param {string} table
   * @param {string} value
   */
  async all(table, value) {
    const { by = "", keyPath } = TABLES[table];
    const found = [...this.#tables[table].values()].filter((row) => row[by] === value);
    return structuredClone(found.sort((a, b) => (a[keyPath] < b[keyPath] ? -1 : 1)));
  }

  /**
   * @template T
   * @param {(tables: Writing) => Promise<T>} work
   * @returns {Promise<T>}
   */
  change(work) {
    /** @type {Writing} */
    const writing = {
      all: (table, value) => this.all(table, value),
      get: async (table, key) => structuredClone(this.#tables[table].get(key)),
      put: async (table, row) => this.#put(table, row),
      remove: async (table, key) => void this.#tables[table].delete(key),
    };
    const result = this.#turn.then(() => work(writing));
    this.#turn = result.catch(() => {});
    return result;
  }

  /**
   * @param {string} table
   * @param {Row} row
   */
  #put(table, row) {
    const { keyPath } = TABLES[table];
    const key = row[keyPath] ?? this.#next;
    if (typeof key === "number") this.#next = Math.max(this.#next, key) + 1;
    this.#tables[table].set(key, structuredClone({ ...row, [keyPath]: key }));
    return key;
  }
}

/**
 * @param {IDBObjectStore} table
 * @param {string} value
 */
function rows(table, value) {
  return answered(table.index("by").getAll(value));
}

/**
 * @template T
 * @param {IDBRequest<T> & {onblocked?: unknown}} request
 * @returns {Promise<T>}
 */
function answered(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("another tab holds the storage"));
  });
}

/** @param {IDBTransaction} transaction */
function aborted(transaction) {
  try {
    transaction.abort();
  } catch {
    // It has ended already.
  }
}
