import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './operation-commands.ts'

export const readDocument = (page: string): string =>
  readFileSync(join(ROOT, 'docs/operating', page), 'utf8')

/** The shell commands under a heading of a page of docs/operating/, block by block. */
export function documentedBlocks(page: string, heading: string): string[] {
  const [, after = ''] = readDocument(page).split(`\n## ${heading}\n`)
  const [section = ''] = after.split('\n## ')
  return [...section.matchAll(/^```sh\n([^`]*)```/gm)].map(([, block = '']) => block)
}

/** The command of pgBackRest for a point in time, with this one in place of the page's. */
export function restoreTo(target: string): string {
  const [, point = ''] = documentedBlocks('backups.md', 'Restore')
  return point.trim().replace(/--target='[^']+'/, `--target='${target}'`)
}

/** A block of settings in a page that contains this text. */
export function documentedSettings(page: string, contains: string): string {
  const blocks = [...readDocument(page).matchAll(/```(?:ini|caddyfile|yaml)\n([^`]*)```/g)]
  const [block] = blocks.flatMap(([, text = '']) => (text.includes(contains) ? [text] : []))
  if (block === undefined) throw new Error(`${page} states no settings with ${contains}`)
  const [indent = ''] = /^ */.exec(block) ?? []
  return block.replaceAll(new RegExp(`^${indent}`, 'gm'), '')
}
