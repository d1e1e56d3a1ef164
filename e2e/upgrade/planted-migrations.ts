/** Migrations such as later versions may contain; none of them changes anything that the previous version uses. */
export const HARMLESS = {
  'claims-planted-column': `
    alter table claim add column planted_note text check (length(planted_note) < 100);
    create table planted_visit (claim_id bigint primary key references claim (id));
    insert into planted_visit select id from claim;
    create view planted_view as select code_claim, planted_note from claim;`,
  'claims-planted-index': `-- no transaction
    drop index concurrently if exists claim_planted_note;
    create index concurrently claim_planted_note on claim (planted_note) where planted_note is not null;`,
  'auth-planted-default': `alter table app_user add column planted_seen timestamptz not null default now();`,
}

/** A migration that is only allowed in the version after the one that stops using the column. */
export const BREAKING = {
  'claims-planted-breach': 'alter table claim rename column code_claim to planted_code;',
}

const FOLDER = 'apps/server/migrations/'
const FIRST = 9001

/** Returns the files of a version with additional migrations. */
export function withSteps(
  files: ReadonlyMap<string, string>,
  version: string,
  steps: Readonly<Record<string, string>>,
): Map<string, string> {
  const taken = [...files.keys()].filter((path) => path.startsWith(`${FOLDER}9`)).length
  const more = Object.entries(steps).map(([name, text], index): [string, string] => [
    `${FOLDER}${FIRST + taken + index}-${version}-${name}.sql`,
    text.trim(),
  ])
  const about = JSON.stringify({ type: 'module', version })
  return new Map([...files, ...more, ['package.json', about]])
}
