/** Where backups are kept: objects by name, such as `2026-11-23T02-30-00-000Z/part-0001.age`. */
export type BackupStore = {
  put(name: string, content: Buffer): Promise<void>
  /** @throws BackupError when there is no such object */
  get(name: string): Promise<Buffer>
  /** The names of all objects. */
  list(): Promise<string[]>
  remove(name: string): Promise<void>
}

/** A backup cannot be made, read or restored. The message says why and what to do. */
export class BackupError extends Error {
  override name = 'BackupError'
}
