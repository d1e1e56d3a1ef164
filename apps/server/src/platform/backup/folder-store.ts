import { existsSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BackupError, type BackupStore } from './store.ts'

const UNFINISHED = '.unfinished'

/** Keeps backups in a folder, readable by this user only. A file gets its name once all of it is on disk. */
export function folderStore(root: string): BackupStore {
  return {
    async put(name, content) {
      const path = join(root, name)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const file = await open(path + UNFINISHED, 'w', 0o600)
      try {
        await file.writeFile(content)
        await file.sync()
      } catch (error) {
        // Half a file would use the space that the next attempt needs.
        await rm(path + UNFINISHED, { force: true })
        throw error
      } finally {
        await file.close()
      }
      await rename(path + UNFINISHED, path)
    },
    async get(name) {
      try {
        return await readFile(join(root, name))
      } catch (cause) {
        throw new BackupError(`${join(root, name)} cannot be read.`, { cause })
      }
    },
    async list() {
      if (!existsSync(root)) return []
      const found = await readdir(root, { recursive: true, withFileTypes: true })
      const files = found.filter((entry) => entry.isFile() && !entry.name.endsWith(UNFINISHED))
      return files.map(({ parentPath, name }) =>
        join(parentPath, name).slice(join(root).length + 1),
      )
    },
    async remove(name) {
      const path = join(root, name)
      await rm(path, { force: true })
      await rm(path + UNFINISHED, { force: true })
      if ((await readdir(dirname(path))).length === 0) await rmdir(dirname(path))
    },
  }
}
