/** Which other server modules each module may import from; the check refuses any other import. */
export const MAY_IMPORT = {
  ledger: [],
  chain: [],
  auth: [],
  proposals: ['auth'],
  pricing: ['auth', 'proposals'],
  terms: ['auth'],
  messages: ['auth'],
  steps: ['auth'],
  plans: ['ledger', 'chain'],
  payouts: ['ledger', 'chain'],
  referrals: ['ledger', 'chain', 'payouts', 'auth', 'messages', 'proposals'],
  earnings: ['plans', 'ledger', 'chain', 'messages'],
  claims: [
    ...['earnings', 'plans', 'ledger', 'chain', 'auth', 'messages'],
    ...['payouts', 'pricing', 'referrals', 'steps'],
  ],
  audit: ['chain', 'claims', 'earnings', 'ledger', 'payouts', 'plans', 'referrals'],
  reports: [
    ...['audit', 'auth', 'chain', 'claims', 'earnings', 'ledger', 'messages'],
    ...['payouts', 'plans', 'pricing', 'proposals', 'referrals', 'steps', 'terms'],
  ],
  treasury: ['audit', 'claims', 'ledger', 'payouts', 'plans', 'pricing', 'referrals'],
  admin: ['auth', 'chain', 'claims', 'earnings', 'messages', 'plans', 'referrals'],
  devnet: [
    ...['audit', 'auth', 'chain', 'claims', 'earnings', 'ledger'],
    ...['payouts', 'plans', 'pricing', 'referrals', 'terms'],
  ],
}
const MODULES = 'apps/server/src/modules'
/** Tests may use any module to set up their data. */
const TESTS = '([.]test[.]tsx?$|^apps/server/src/testing/)'
const FEATURES = '^apps/web/src/features/'

const no = (name, from, to) => ({ name, severity: 'error', from, to })

export default {
  forbidden: [
    ...Object.entries(MAY_IMPORT).map(([module, others]) =>
      no(
        `${module}-imports`,
        { path: `^${MODULES}/${module}/`, pathNot: TESTS },
        { path: `^${MODULES}/`, pathNot: [module, ...others].map((x) => `^${MODULES}/${x}/`) },
      ),
    ),
    no(
      'front-door-only',
      { path: `^${MODULES}/([^/]+)/`, pathNot: TESTS },
      { path: `^${MODULES}/`, pathNot: [`^${MODULES}/$1/`, `^${MODULES}/[^/]+/index[.]ts$`] },
    ),
    no(
      'main-uses-front-doors',
      { path: '^apps/server/src/main/', pathNot: TESTS },
      { path: `^${MODULES}/`, pathNot: `^${MODULES}/[^/]+/(index|[a-z-]+[.](routes|jobs))[.]ts$` },
    ),
    no(
      'unlisted-module',
      { path: `^${MODULES}/`, pathNot: `^${MODULES}/(${Object.keys(MAY_IMPORT).join('|')})/` },
      {},
    ),
    no(
      'platform-has-no-domain',
      { path: '^apps/server/src/platform/' },
      { path: '^apps/server/src/(modules|main)/' },
    ),
    no(
      'only-main-builds',
      { path: `^${MODULES}/`, pathNot: '[.]test[.]ts$' },
      { path: '^apps/server/src/(main|testing)/' },
    ),
    no(
      'features-are-independent',
      { path: `${FEATURES}([^/]+)/` },
      { path: FEATURES, pathNot: `${FEATURES}$1/` },
    ),
    no(
      'shared-has-no-feature',
      { path: '^apps/web/src/shared/' },
      { path: '^apps/web/src/(features|app)/' },
    ),
    no(
      'apps-share-only-packages',
      { path: '^apps/([^/]+)/' },
      { path: '^apps/', pathNot: '^apps/$1/' },
    ),
    no(
      'packages-are-independent',
      { path: '^packages/' },
      { path: '^(apps|contracts|devnet|e2e|simulation|tools|bench|verify)/' },
    ),
    no(
      'the-product-needs-no-devnet',
      { path: '^apps/', pathNot: TESTS },
      { path: '^(devnet|e2e|simulation|tools|bench)/' },
    ),
    no(
      'local-services-are-for-development',
      { path: '^apps/', pathNot: '[.]test[.]ts$|^apps/server/src/testing/' },
      { path: '^packages/local-services/' },
    ),
    no(
      'the-model-is-a-second-opinion',
      { path: '^simulation/model/', pathNot: '[.]test[.]ts$' },
      { pathNot: '^(simulation/model/|packages/money/)' },
    ),
    no(
      'the-simulation-drives-from-outside',
      { path: '^simulation/', pathNot: '^simulation/(world/service|story/theatre)[.]ts$' },
      { path: '^apps/' },
    ),
    no('no-cycles', {}, { circular: true }),
  ],
  options: {
    // TypeScript 7 has no API that this tool can use, and without another parser it would miss type imports.
    parser: 'swc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default'] },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^apps/web/dist/' },
  },
}
