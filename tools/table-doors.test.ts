import { expect, test } from 'vitest'
import { readSource } from './repository.ts'
import {
  findTrespasses,
  findUpwardKeys,
  foreignTriggers,
  tablesByModule,
  writesOf,
} from './table-doors.ts'

test('no module uses tables of another module, in TypeScript or in SQL', () => {
  expect(findTrespasses()).toEqual([])
})

const inModule = (module: string, text: string) => ({
  path: `apps/server/src/modules/${module}/planted.ts`,
  text,
})
test.each([
  ['reports', "own(db).selectFrom('claim')", 'reads claim of claims'],
  ['reports', "own(tx).updateTable('payout').set({ amount: 0n })", 'writes payout of payouts'],
  ['reports', "own(tx).insertInto('app_user_view')", 'writes app_user_view of auth'],
  ['audit', 'sql`select from ledger_account`', 'reads ledger_account of ledger'],
  ['audit', `sql\`\${some(sql\`select (select 1 from payout)\`)}\``, 'reads payout of payouts'],
  [
    'claims',
    'sql`select from ledger_account_view l, distribution_day d`',
    'reads distribution_day of earnings',
  ],
  ['claims', 'const rows = sql`app_user`', 'reads app_user of auth'],
  ['claims', 'sql`select ledger_post(null)`', 'reads ledger_post of ledger'],
  ['claims', 'sql`delete from earning_view where id = 1`', 'writes earning_view of earnings'],
  [
    'admin',
    'sql`update downline_total_view set directs = 0`',
    'writes downline_total_view of referrals',
  ],
  ['plans', 'sql`select from claim_view`', 'reads claim_view of claims, a higher module'],
])('the check refuses %s: %s', (module, text, trespass) => {
  const planted = inModule(module, text)
  expect(findTrespasses([planted])).toContain(`${planted.path}: ${trespass}`)
})

test('the check refuses functions, keys and triggers of the schema that use foreign tables without permission', () => {
  const planted = {
    path: 'apps/server/migrations/0002-plans-planted.sql',
    text: `
      create table plan_claim (claim_id bigint references claim);
      create trigger planted after insert on claim execute function f();
      create function f() returns trigger language plpgsql as $$
      begin
        update ledger_account set debits = 0;
        perform 1 from reservation, payout_view;
        select from earning;
      end $$;`,
  }
  expect(findTrespasses([planted])).toEqual([
    `${planted.path}: writes ledger_account of ledger`,
    `${planted.path}: reads earning of earnings`,
  ])
  expect(findUpwardKeys([planted])).toEqual([
    `${planted.path}: a key on claim`,
    `${planted.path}: planted on claim`,
  ])
})

test('no foreign key and no trigger is on a table of a higher module', () => {
  expect(findUpwardKeys()).toEqual([])
})

test('reports write closed days, lists of what is owed, notes and links, and only read everything else', () => {
  expect(writesOf('reports')).toEqual([
    ...['case_link', 'case_note', 'daily_close', 'maintenance_note'],
    ...['owed_day', 'owed_leaf', 'owed_node'],
  ])
})

const map = readSource('ARCHITECTURE.md')

test('ARCHITECTURE.md names the owner of every table', () => {
  const [table = ''] = map.slice(map.indexOf('| platform |')).split('\n\n', 1)
  const rows = [...table.matchAll(/^\| ([a-z]+) \| ([^|]*) \|/gm)]
  const drawn = rows.map(([, module = '', owns = '']) => [
    module,
    owns
      .replace(/\([^)]*\)/g, '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => /^[a-z_]+$/.test(name))
      .sort(),
  ])
  expect(Object.fromEntries(drawn)).toEqual({ ...Object.fromEntries(tablesByModule()), devnet: [] })
})

test('ARCHITECTURE.md lists every trigger that a module sets on a table of another module', () => {
  const drawn = [...map.matchAll(/^\| `(\w+)` \| (\w+) \|/gm)].map(
    ([, trigger, table]) => `${trigger} on ${table}`,
  )
  expect(drawn.sort()).toEqual(foreignTriggers())
})
