import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium as playwright } from '@playwright/test'
import sparticuz from '@sparticuz/chromium'

/** Not the package's own flags, which run everything in one process and disable the same-origin policy. */
const ARGS = ['--no-sandbox']

/** Launches Chromium from npm on Linux x64, elsewhere the browser that CHROMIUM_PATH names. */
export async function launchBrowser(extraArgs: readonly string[] = []): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? (await unpackChromium())
  return playwright.launch({ executablePath, args: [...ARGS, ...extraArgs] })
}

/**
 * Unpacks Chromium once per version and user. The package reuses whatever browser is in the temporary folder, so it gets
 * a new folder, which is then renamed atomically, because several workers may unpack at the same time.
 */
async function unpackChromium(): Promise<string> {
  const folder = join(tmpdir(), `dct-chromium-${versionOfPackage()}-${process.getuid?.() ?? 0}`)
  const program = join(folder, 'chromium')
  if (existsSync(program)) return program
  const fresh = mkdtempSync(`${folder}-`)
  const before = process.env.TMPDIR
  process.env.TMPDIR = fresh
  try {
    await sparticuz.executablePath()
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
  try {
    renameSync(fresh, folder)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    if (!existsSync(program)) throw error // otherwise another worker was faster
  }
  return program
}

function versionOfPackage(): string {
  const entry = fileURLToPath(import.meta.resolve('@sparticuz/chromium'))
  const description = join(dirname(entry), '..', 'package.json')
  return (JSON.parse(readFileSync(description, 'utf8')) as { version: string }).version
}
