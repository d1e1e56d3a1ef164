import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { ALL_SETTINGS } from '../apps/server/src/main/settings/read-settings.ts'
import { WAIT_REASONS } from '../apps/server/src/modules/payouts/sender-deps.ts'
import { ALARMS } from '../packages/api-contract/src/alarms.ts'
import { MONEY_WARNINGS } from '../packages/api-contract/src/operations.ts'
import { ROOT, readSource, sourceFiles } from './repository.ts'

const FOLDER = 'docs/runbooks'
const pages = readdirSync(join(ROOT, FOLDER)).map((name) => ({
  name,
  text: readSource(`${FOLDER}/${name}`),
}))
const INDEX = readSource(`${FOLDER}/README.md`)

/** Every match of the pattern in the pages, or its first group if it has one. */
function findMentions(pattern: RegExp): { page: string; what: string }[] {
  return pages.flatMap(({ name, text }) =>
    [...text.matchAll(pattern)].map((match) => ({ page: name, what: match[1] ?? match[0] })),
  )
}

/** The matches that do not exist, as `page: match`. Fails if the pattern matches hardly anything. */
function findAbsent(pattern: RegExp, exists: (what: string) => boolean): string[] {
  const found = findMentions(pattern)
  expect(found.length).toBeGreaterThan(3)
  return found.filter(({ what }) => !exists(what)).map(({ page, what }) => `${page}: ${what}`)
}

test('every kind of alarm has a page, which names it, and the index names both', () => {
  const lines = INDEX.split('\n')
  for (const [kind, { runbook }] of Object.entries(ALARMS)) {
    expect(readSource(`${FOLDER}/${runbook}.md`), kind).toContain(`\`${kind}\``)
    const line = lines.find((one) => one.startsWith(`| [${runbook}.md](${runbook}.md)`))
    expect(line, kind).toContain(`\`${kind}\``)
  }
})

test('every Prometheus rule is in the index, and its page names it', () => {
  const { groups } = parse(readSource('operations/prometheus/alerts.yaml')) as {
    groups: { rules: { alert: string }[] }[]
  }
  for (const { alert } of groups.flatMap(({ rules }) => rules)) {
    if (alert.startsWith('AlarmOpen')) continue
    const line = INDEX.split('\n').find((one) => one.endsWith('|') && one.includes(alert))
    const page = /\]\(([\w-]+\.md)\)/.exec(line ?? '')?.[1]
    expect(readSource(`${FOLDER}/${page}`), alert).toContain(alert)
  }
})

test.each([
  ['of its fault', (found: number) => found > 0],
  ['that come close to its fault, at which it stays quiet', (found: number) => found === 0],
])('every Prometheus rule is tried with series %s', (_series, isMeant) => {
  const { groups } = parse(readSource('operations/prometheus/alerts.yaml')) as {
    groups: { rules: { alert: string }[] }[]
  }
  const { tests } = parse(readSource('operations/prometheus/alerts.test.yaml')) as {
    tests: { alert_rule_test: { alertname: string; exp_alerts: object[] }[] }[]
  }
  const tried = tests
    .flatMap((one) => one.alert_rule_test)
    .filter((one) => isMeant(one.exp_alerts.length))
    .map((one) => one.alertname)
  expect([...new Set(tried)].toSorted()).toEqual(
    groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)).toSorted(),
  )
})

test('each page says how you learn of the incident, what to do, and how to confirm that it is resolved', () => {
  for (const { name, text } of pages.filter((page) => page.name !== 'README.md')) {
    expect(text, name).toMatch(/\*\*You learn of it by\*\* |^The alarm `|^No alarm\./m)
    expect(text, name).toMatch(/^\d\. .*(\n .*)*(`|\*\*)/m)
    expect(text, name).toMatch(/resolves it\.|\*\*It is over\*\* when/)
  }
})

test('the tests that each page names exist, and each of its alarms is in one of them', () => {
  for (const { name, text } of pages.filter((page) => page.name !== 'README.md')) {
    const named = text.split('\n\n').find((part) => part.startsWith('Rehearsed by ')) ?? ''
    const tests = [...named.matchAll(/`([\w/.-]+\.ts)`/g)].map(([, path = '']) => path)
    expect(tests.length + Number(named.includes('`npm run ')), name).toBeGreaterThan(0)
    expect(
      tests.filter((path) => !/\.(test|spec)\.ts$/.test(path)),
      name,
    ).toEqual([])
    for (const [, title = ''] of named.matchAll(/"([^":]+)[^"]*"/g)) {
      expect(readSource('e2e/rehearsal/rehearsals.ts'), name).toContain(`'${title}': `)
    }
    const rehearsals = named.includes('`npm run rehearse`')
      ? sourceFiles('e2e/rehearsal', /\.ts$/)
      : []
    const sources = [...tests, ...rehearsals].map(readSource).join('\n')
    const missing = alarmsOf(name).filter((kind) => !asserts(sources, kind))
    expect(missing, name).toEqual([])
  }
})

/** The kinds of alarms in the page's line of the index. */
function alarmsOf(page: string): string[] {
  const [, , alarms = ''] =
    INDEX.split('\n')
      .find((one) => one.startsWith(`| [${page}]`))
      ?.split('|') ?? []
  return [...alarms.matchAll(/`([\w.]+)`/g)].map(([, kind = '']) => kind)
}

/** Whether a string or a pattern in the tests begins with that kind. */
function asserts(sources: string, kind: string): boolean {
  return new RegExp(`['"\`^]${kind.replace('.', '\\\\?\\.')}\\b`).test(sources)
}

test('the check notices an alarm that no test names', () => {
  expect(asserts("kind: 'price.source'", 'price.source')).toBe(true)
  expect(asserts('toMatch(/^price\\.source: /)', 'price.source')).toBe(true)
  expect(asserts("'price.sources', priceXsource", 'price.source')).toBe(false)
})

test('every script, file, service and unit that the pages name exists', () => {
  const { scripts } = JSON.parse(readSource('package.json')) as { scripts: object }
  expect(findAbsent(/npm run ([\w:-]+)/g, (name) => name in scripts)).toEqual([])
  const isFile = (path: string) => existsSync(join(ROOT, path))
  expect(findAbsent(/`[^`\n]*?((?:apps|contracts|tools)\/[\w/.-]+\.\w+)/g, isFile)).toEqual([])
  const isLinked = (path: string) => isFile(join(FOLDER, path.replace(/#.*/, '')))
  expect(findAbsent(/\]\(([^)]+)\)/g, isLinked)).toEqual([])
  const { services } = parse(readSource('compose.yaml'), { merge: true }) as { services: object }
  const named = findMentions(/docker compose (?:stop|up -d|exec) ([a-z ]+)/g)
  const servicesNamed = named.flatMap(({ what }) => what.trim().split(' '))
  expect(servicesNamed.filter((name) => !(name in services))).toEqual([])
  const units = readdirSync(join(ROOT, 'operations/systemd'))
  const isUnit = (name: string) =>
    units.includes(/\.\w+$/.test(name) ? name : `${name.replace(/@.*/, '@')}.service`)
  expect(findAbsent(/\b(dct-(?:api|watcher|worker|backup)(?:@\d+|\.timer)?)\b/g, isUnit)).toEqual(
    [],
  )
})

test('every page of the web app that any document names exists', () => {
  const routes = sourceFiles('apps/web/src/app', /\.tsx?$/)
    .map(readSource)
    .join('\n')
  const isPage = (path: string) => {
    const [page = '', tab] = path.split('?tab=')
    if (tab === undefined) return routes.includes(`'${page}'`)
    const file = `apps/web/src/app/pages/${page.slice(1).replace('/', '-')}-page.tsx`
    return existsSync(join(ROOT, file)) && readSource(file).includes(`id: '${tab}'`)
  }
  const named = sourceFiles('docs', /\.md$/).flatMap((page) =>
    [...readSource(page).matchAll(/(?<![\w.])\/admin\/[a-z-]+(?:\?tab=[a-z]+)?/g)].map(
      ([path]) => ({ page, path }),
    ),
  )
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter(({ path }) => !isPage(path))).toEqual([])
})

test('every button, setting and reason that the pages name exists', () => {
  const texts = sourceFiles('apps/web/src', /\.texts\.ts$/)
    .map(readSource)
    .join('\n')
  const isText = (bold: string) =>
    bold.endsWith(':') || SIGNPOSTS.includes(bold) || texts.includes(`: '${bold}'`)
  expect(findAbsent(/\*\*([^*\n]+)\*\*/g, isText)).toEqual([])
  const names = new Set<string>([
    ...ALL_SETTINGS.flatMap(([name]) => [name, `${name}_FILE`]),
    ...Object.keys(WAIT_REASONS),
    ...MONEY_WARNINGS,
  ])
  expect(findAbsent(/`([A-Z]+(?:_[A-Z0-9]+)+)`/g, (name) => names.has(name))).toEqual([])
})

const SIGNPOSTS = ['You learn of it by', 'It is over']

test('every contract function that the pages name exists', () => {
  const sources = sourceFiles('contracts/src', /\.sol$/)
    .map(readSource)
    .join('\n')
  const isFunction = (name: string) => sources.includes(`function ${name}(`)
  expect(findAbsent(/`(\w+)\([^`]*\)`/g, isFunction)).toEqual([])
})
