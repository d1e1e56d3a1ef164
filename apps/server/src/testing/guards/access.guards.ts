import { createHash } from 'node:crypto'
import {
  AT,
  address,
  hash,
  LATER,
  NOBODY,
  type Row,
  SHORT,
  type StatementGuard,
  type TableGuards,
  updates,
} from './guard.ts'

const holder: Row = {
  id: 1,
  address: address(1),
  email: 'a@example.com',
  role: 'user',
  referral_code: 'AAAAAAA2',
  referrer_id: null,
  depth: 0,
  referral_reward_bps: 0,
  created_at: AT,
}
const admin: Row = {
  ...holder,
  id: 2,
  address: address(2),
  role: 'admin',
  referral_code: 'AAAAAAA3',
}
const secondAdmin: Row = { ...admin, id: 3, address: address(3), referral_code: 'AAAAAAA4' }
const referred: Row = { ...holder, referral_code: 'AAAAAAA5', referrer_id: 1, depth: 1 }

const users: TableGuards = {
  table: 'app_user',
  rows: [holder, admin, secondAdmin, { ...referred, id: 4, address: address(4) }],
  next: { ...referred, id: 5, address: address(5), referral_code: 'AAAAAAA6' },
  refused: {
    app_user_pkey: { id: 2 },
    app_user_address: { address: address(1) },
    app_user_referral_code: { referral_code: 'AAAAAAA2' },
    app_user_address_check: { address: SHORT },
    app_user_depth_check: { depth: -1 },
    app_user_email_check: { email: 'a'.repeat(255) },
    app_user_no_cycle: { referrer_id: 5 },
    app_user_referral_code_check: { referral_code: 'aaaaaaa6' },
    app_user_referral_reward_bps_check: { referral_reward_bps: 7501 },
    app_user_role_check: { role: 'owner' },
    app_user_referrer_id_fkey: { id: 500, referrer_id: NOBODY },
  },
  statements: [
    {
      name: 'app_user_keeps',
      answer: 'a user keeps address, referrer and referral code',
      to: [
        ...updates('app_user', {
          address: `'\\x${'09'.repeat(20)}'`,
          referral_code: "'ZZZZZZZZ'",
          depth: 'depth + 1',
        }),
        'update app_user set referrer_id = null where id = 4',
      ],
    },
    {
      name: 'referral_follow_insert',
      answer: 'referral_node_referrer',
      to: [
        `update app_user set deleted_at = now() where id = 2;
         insert into app_user (id, address, referral_code, referrer_id, depth, created_at)
           overriding system value values (100, '\\x${'0a'.repeat(20)}', 'AAAAAAA7', 2, 1, now())`,
      ],
    },
    {
      name: 'referral_follow_update',
      answer: 'referral_node_referrer',
      to: ['update app_user set deleted_at = now() where id = 1'],
    },
  ],
}

const session: Row = {
  id: 1,
  token_hash: hash(1),
  user_id: 1,
  role: 'user',
  created_at: AT,
  last_seen_at: AT,
  expires_at: AT,
  ends_at: LATER,
  network: '',
  user_agent: '',
}

const sessions: TableGuards = {
  table: 'auth_session',
  rows: [session],
  next: { ...session, id: 2, token_hash: hash(2) },
  refused: {
    auth_session_pkey: { id: 1 },
    auth_session_token_hash_key: { token_hash: hash(1) },
    auth_session_token_hash_check: { token_hash: SHORT },
    auth_session_check: { ends_at: '2026-01-14T00:00:00Z' },
    auth_session_user_id_fkey: { user_id: NOBODY },
  },
}

const challenge: Row = {
  nonce: 'a',
  purpose: 'login',
  address: address(1),
  payload: '{}',
  origin_key: '',
  issued_at: AT,
  expires_at: LATER,
}

const caseLink: Row = {
  id: 1,
  claim_id: 1,
  token_hash: hash(1),
  created_by: 2,
  created_at: AT,
  expires_at: LATER,
  revoked_by: null,
  revoked_at: null,
}

const logEntry: Row = { id: 1, admin_id: 2, action: 'price.set', subject: 'price', at: AT }

/** Accounts, sessions, case links and their logs. Case links refer to the first claim. */
export const ACCESS_GUARDS: readonly TableGuards[] = [
  users,
  sessions,
  {
    table: 'auth_challenge',
    rows: [challenge],
    next: { ...challenge, nonce: 'b' },
    refused: {
      auth_challenge_pkey: { nonce: 'a' },
      auth_challenge_address_check: { address: SHORT },
      auth_challenge_purpose_check: { purpose: 'payout' },
    },
  },
  {
    table: 'request_count',
    rows: [{ key: 'a', window_start: AT, used: 1 }],
    next: { key: 'b', window_start: AT, used: 1 },
    refused: { request_count_pkey: { key: 'a' } },
  },
  {
    table: 'admin_log',
    rows: [logEntry],
    next: { ...logEntry, id: 2 },
    refused: {
      admin_log_pkey: { id: 1 },
      admin_log_admin_id_fkey: { admin_id: NOBODY },
    },
    statements: appendOnly('admin_log', "subject = ''", 'cascade'),
  },
]

const terms: Row = {
  id: 1,
  kind: 'terms',
  version: '2026-01-15',
  effective_day: '2026-01-15',
  text_id: 'a',
  text_en: 'b',
  published_by: 2,
  published_at: AT,
}

const consent: Row = {
  id: 1,
  user_id: 1,
  version: '2026-01-15',
  language: 'id',
  text_sha256: hash(1),
  accepted_at: AT,
}

/** The operator's terms, and who accepted them. */
export const TERMS_GUARDS: readonly TableGuards[] = [
  {
    table: 'terms_version',
    rows: [terms],
    next: { ...terms, id: 2, version: '2026-01-15.2' },
    refused: {
      terms_version_pkey: { id: 1 },
      terms_version_kind_version_key: { kind: 'terms', version: '2026-01-15' },
      terms_version_kind_check: { kind: 'imprint' },
      terms_version_version_check: { version: 'two' },
      terms_version_text_id_check: { text_id: '' },
      terms_version_text_en_check: { text_en: '' },
      terms_version_published_by_fkey: { published_by: NOBODY },
    },
    statements: appendOnly('terms_version', "text_id = 'x'"),
  },
  {
    table: 'terms_consent',
    rows: [consent],
    next: { ...consent, id: 2, text_sha256: hash(2) },
    refused: {
      terms_consent_pkey: { id: 1 },
      terms_consent_once: { text_sha256: hash(1) },
      terms_consent_language_check: { language: 'fr' },
      terms_consent_text_sha256_check: { text_sha256: SHORT },
      terms_consent_user_id_fkey: { user_id: NOBODY },
    },
    statements: appendOnly('terms_consent', "version = 'x'"),
  },
]

const note: Row = {
  id: 1,
  text_id: 'a',
  text_en: 'b',
  starts_at: AT,
  ends_at: LATER,
  created_by: 2,
  created_at: AT,
}

export const CASE_GUARDS: readonly TableGuards[] = [
  {
    table: 'maintenance_note',
    rows: [note],
    next: { ...note, id: 2 },
    refused: {
      maintenance_note_pkey: { id: 1 },
      maintenance_note_text_id_check: { text_id: '' },
      maintenance_note_text_en_check: { text_en: '' },
      maintenance_note_check: { ends_at: '2026-01-14T00:00:00Z' },
      maintenance_note_created_by_fkey: { created_by: NOBODY },
    },
  },
  {
    table: 'case_link',
    rows: [caseLink],
    next: { ...caseLink, id: 2, token_hash: hash(2) },
    refused: {
      case_link_pkey: { id: 1 },
      case_link_token_hash_key: { token_hash: hash(1) },
      case_link_token_hash_check: { token_hash: SHORT },
      case_link_check: { expires_at: AT },
      case_link_check1: { revoked_by: 2 },
      case_link_claim_id_fkey: { claim_id: NOBODY },
      case_link_created_by_fkey: { created_by: NOBODY },
      case_link_revoked_by_fkey: { revoked_by: NOBODY, revoked_at: AT },
    },
  },
  {
    table: 'case_note',
    rows: [{ id: 1, claim_id: 1, admin_id: 2, text: 'a', at: AT }],
    next: { id: 2, claim_id: 1, admin_id: 2, text: 'b', at: AT },
    refused: {
      case_note_pkey: { id: 1 },
      case_note_text_check: { text: '' },
      case_note_admin_id_fkey: { admin_id: NOBODY },
      case_note_claim_id_fkey: { claim_id: NOBODY },
    },
    statements: appendOnly('case_note', "text = 'x'"),
  },
  {
    table: 'daily_close',
    rows: [dailyClose('2026-01-15')],
    next: dailyClose('2026-01-16'),
    refused: {
      daily_close_pkey: { day: '2026-01-15' },
      daily_close_hash: { content: 'something else' },
      daily_close_differences_check: { differences: -1 },
      daily_close_closed_by_fkey: { closed_by: NOBODY },
    },
    statements: appendOnly('daily_close', 'differences = 1'),
  },
]

const owedDay = (day: string) => ({ day, at: AT, root: hash(1), sum: 5, holders: 1 })
const owedLeaf = { day: '2026-01-15', user_id: 1, position: 0, salt: hash(1), owed: 5 }
const owedNode = { day: '2026-01-15', level: 0, position: 0, hash: hash(1), sum: 5 }

/** The daily list of what referrers are owed. */
export const OWED_GUARDS: readonly TableGuards[] = [
  {
    table: 'owed_day',
    rows: [owedDay('2026-01-15')],
    next: owedDay('2026-01-16'),
    refused: {
      owed_day_pkey: { day: '2026-01-15' },
      owed_day_root_check: { root: SHORT },
      owed_day_sum_check: { sum: -1 },
      owed_day_holders_check: { holders: -1 },
    },
    statements: appendOnly('owed_day', 'holders = 2', ' cascade'),
  },
  {
    table: 'owed_leaf',
    rows: [owedLeaf],
    next: { ...owedLeaf, user_id: 2 },
    refused: {
      owed_leaf_pkey: { user_id: 1 },
      owed_leaf_owed_check: { owed: 0 },
    },
  },
  {
    table: 'owed_node',
    rows: [owedNode],
    next: { ...owedNode, position: 1 },
    refused: {
      owed_node_pkey: { position: 0 },
    },
  },
]

function appendOnly(table: string, change: string, truncating = ''): StatementGuard[] {
  return [
    {
      name: 'append_only',
      answer: `${table} is append-only`,
      to: [
        `update ${table} set ${change}`,
        `delete from ${table}`,
        `truncate ${table} ${truncating}`.trimEnd(),
      ],
    },
  ]
}

function dailyClose(day: string): Row {
  const sha256 = createHash('sha256').update(day).digest()
  return { day, closed_at: AT, closed_by: 2, differences: 0, content: day, sha256 }
}
