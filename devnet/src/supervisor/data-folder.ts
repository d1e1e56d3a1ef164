import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { releaseLockFile, takeLockFile } from '@dct/local-services'

/** Everything that a devnet stores; nothing else in DATA_DIR is touched. */
const PARTS = ['postgres', 'chains', 'keys', 'server.pid', 'server-settings.json'] as const
const LOCK = 'devnet.lock'
const SUPERVISOR_FILE = 'devnet/src/main.ts'

/** The folder cannot be used. The message is meant for the user at the terminal. */
export class DataFolderError extends Error {
  override name = 'DataFolderError'
}

export type DataFolder = {
  path(part: (typeof PARTS)[number]): string
  /** Releases the folder for another devnet. */
  release(): void
}

/**
 * Creates the folder and locks it for this process, so that no two devnets write to one database.
 * @throws DataFolderError when another devnet holds it or this user may not write there
 */
export function openDataFolder(options: { dir: string; reset: boolean }): DataFolder {
  const { dir, reset } = options
  makeWritable(dir)
  takeLock(dir)
  const path = (part: (typeof PARTS)[number]) => join(dir, part)
  if (reset) for (const part of PARTS) rmSync(path(part), { recursive: true, force: true })
  return { path, release: () => releaseLockFile(join(dir, LOCK)) }
}

function makeWritable(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true })
    accessSync(dir, constants.W_OK)
  } catch (cause) {
    const owner = existsSync(dir) ? ` (it belongs to uid ${statSync(dir).uid})` : ''
    throw new DataFolderError(
      `This user may not write to ${dir}${owner}: set DATA_DIR to another folder.`,
      { cause },
    )
  }
}

function takeLock(dir: string): void {
  const holder = takeLockFile({ path: join(dir, LOCK), holderArgs: SUPERVISOR_FILE })
  if (holder === undefined) return
  throw new DataFolderError(
    `Another devnet (process ${holder}) already uses ${dir}: stop it first, ` +
      'or use another folder and port: DATA_DIR=./data-2 PORT=3001 npm start',
  )
}

/**
 * Writes a private key of the service to a file that only its owner may read.
 * @returns the file's path
 */
export function writeKeyFile(folder: string, key: { name: string; hex: string }): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `${key.name}.key`)
  // An existing file would keep its permissions.
  rmSync(file, { force: true })
  writeFileSync(file, `${key.hex}\n`, { mode: 0o600 })
  return file
}
