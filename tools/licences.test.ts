import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT, readSource } from './repository.ts'

/** Licences under which a package may be shipped as it is. MPL-2.0 binds changes of its own files only. */
const ALLOWED = [
  '(Apache-2.0 AND MIT)',
  '(BSD-3-Clause AND Apache-2.0)',
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'MIT-0'],
  ...['MPL-2.0', 'OFL-1.1', 'Unlicense'],
]
/**
 * Packages with terms of their own: free up to 500 monthly users, a paid licence beyond (docs/responsible-operation.md).
 */
const OWN_TERMS = ['core', 'sign-client', 'types', 'utils'].map((name) => `@walletconnect/${name}`)

test('every package that ships has a licence that lets us ship it', () => {
  const names = readSource('tools/shipped-packages.txt')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const licences = names.flatMap((name) => {
    const path = join('node_modules', name, 'package.json')
    // Some are installed below the package that needs them, under the same licence as elsewhere.
    if (!existsSync(join(ROOT, path))) return []
    const { license }: { license?: string } = JSON.parse(readSource(path))
    return [{ name, license }]
  })
  expect(licences.length).toBeGreaterThan(300)
  const others = licences.filter(
    ({ name, license = '' }) => !ALLOWED.includes(license) && !OWN_TERMS.includes(name),
  )
  expect(others).toEqual([])
})
