/** `npm run build:schema`: writes the schema that results from all migrations to one file. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeSchema } from '../apps/server/migrations/describe-schema.ts'
import { withDatabase } from '../bench/support.ts'
import { ROOT } from './repository.ts'

const FILE = 'apps/server/schema.sql'

await withDatabase(async (db) => {
  writeFileSync(join(ROOT, FILE), await describeSchema(db))
})
console.log(FILE)
