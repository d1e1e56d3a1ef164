import { readFileSync } from 'node:fs'

const PACKAGE = new URL('../../../../package.json', import.meta.url)

/** The version of the product, MAJOR.MINOR.PATCH. */
export const { version: VERSION }: { version: string } = JSON.parse(readFileSync(PACKAGE, 'utf8'))
