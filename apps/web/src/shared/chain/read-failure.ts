import { peek } from '../lib/peek.ts'

/** What a wallet's failure means, whatever its shape. Both chains' errors are made from it. */
export type Failure = { meaning: FailureMeaning; codes: ReadonlySet<number>; text: string }

export type FailureMeaning =
  /** Its user said no. */
  | 'refused'
  /** It is already asking its user something else. */
  | 'busy'
  | 'locked'
  /** It does not know this page. */
  | 'notConnected'
  /** It was connected, and no longer is, so what it did meanwhile is not known. */
  | 'disconnected'
  /** It does not have the network yet. */
  | 'unknownNetwork'
  | 'otherNetwork'
  | 'otherAccount'
  | 'noFunds'
  /** It does not know the request at all. */
  | 'unsupported'
  /** The call would fail, so it was not sent. */
  | 'wouldFail'
  /** The extension was updated or removed under the page, which has to be loaded again. */
  | 'gone'
  /** The connection to the wallet broke, so what it did is not known. */
  | 'cutOff'
  /** Nobody answered in the wallet in time. */
  | 'expired'
  | 'unclear'

/** The error codes of EIP-1193, EIP-3326 and WalletConnect; the latter's refusals are 5000 to 5003. */
const MEANING_OF_CODE: readonly (readonly [FailureMeaning, readonly number[]])[] = [
  ['refused', [4001, 5000, 5001, 5002, 5003]],
  ['unknownNetwork', [4902, 5100]],
  ['otherNetwork', [4901]],
  ['busy', [-32_002]],
  ['notConnected', [4100]],
  ['disconnected', [4900, 6000]],
  ['expired', [8000]],
  ['unsupported', [4200, -32_601, 5101]],
  ['wouldFail', [-32_602]],
]

/** A node's time-out has the code of a wallet's open prompt. */
const LATE = /timed? ?out|timeout/

/**
 * Words by which wallets say it, because many send no code, or that of an internal error for everything. The replies
 * that were reported of them are in `testing/wallet-replies.ts`.
 */
const MEANING_OF_WORDS: readonly (readonly [FailureMeaning, RegExp])[] = [
  ['gone', /context invalidated|extension (was |has been )?(updated|reloaded|uninstalled)/],
  ['cutOff', /(port|channel|socket) (was |is |has been )?(closed|disconnected|lost|interrupted)/],
  ['cutOff', /disconnected port|receiving end does not exist|could not establish connection/],
  ['expired', /(request|proposal|session|pairing) (has |is )?expired|expired_request/],
  ['unknownNetwork', /(unrecogni[sz]ed|unknown|unconfigured|invalid|unsupported) (chain|network)/],
  [
    'unknownNetwork',
    /(chain|network)\b.*\bnot (been )?(added|configured|found|recogni[sz]ed|supported|exist)/,
  ],
  ['unknownNetwork', /wallet_addethereumchain|add (the|this) (chain|network) first/],
  ['otherNetwork', /(chain|network)( ?id)? (mismatch|does(n't| not) match)/],
  ['otherNetwork', /(wrong|other|different) (chain|network)/],
  ['otherAccount', /(wrong|different|unknown) (account|signer)|(account|address)\b.* mismatch/],
  ['otherAccount', /(account|address|signer)\b.* does(n't| not) match/],
  ['busy', /already (pending|processing|open|in progress)|pending request|request .*\bpending/],
  ['busy', /pop-?up window has not been closed|another request\b.* (in progress|being processed)/],
  ['noFunds', /insufficient[_ ](\w+[_ ])?(fund|balance|gas|fee|energy|bandwidth)/],
  ['noFunds', /gas required exceeds allowance|[余餘][额額]不足|saldo\b.*tidak (men)?cukup/],
  ['noFunds', /not enough (fund|balance|gas|fee|bnb|trx|native|energy)|does(n't| not) have enough/],
  ['noFunds', /\b(funds|balance|fee) (is|are) (insufficient|not sufficient|not enough)/],
  ['wouldFail', /execution reverted|transfer amount exceeds|always failing|intrinsic gas too low/],
  ['wouldFail', /cannot estimate gas|unpredictable_gas|invalid param/],
  ['locked', /(^|\b(is|wallet|keyring|extension|account|app)[ _])locked\b|unlock|terkunci/],
  ['locked', /(log|sign) ?in to your wallet|enter (your )?(wallet )?password/],
  ['unsupported', /(method|request|function)\b.*\bnot (exist|available|support|found|implement)/],
  ['unsupported', /not (supported|implemented)|unsupported method|unknown method|doesn't exist/],
  ['notConnected', /not (yet )?(connected|authori[sz]ed)|unauthori[sz]ed|no matching key/],
  ['notConnected', /no (active |matching )?(session|connection)/],
  ['disconnected', /disconnected/],
]

/** How wallets say in many languages that their user declined. */
const REFUSAL = new RegExp(
  [
    'reject|deny|denied|declin|disapprov|not approve|unapprove|cancel|cancle|refus|dismiss',
    'user abort|abort(ed)? by (the )?user|modal (is )?closed|pop-?up (was |is )?closed',
    'closed (the )?(\\w+ )?(modal|pop-?up|window|prompt|dialog)|connection request reset',
    'user (has )?(exit|quit|left|backed out|did not confirm|didn.t confirm)|not confirmed by (the )?user',
    '取消|拒[绝絕否]|キャンセル|却下|거부|거절|취소|tolak|menolak|batal|rechaz|rejeit|recusad|negad',
    'abgelehnt|abgebrochen|annul|rifiut|odrzuc|anulowa|отклон|отказ|отмен|відхил|скасован',
    'từ chối|hủy|huỷ|reddedil|reddet|iptal|ปฏิเสธ|ยกเลิก|رفض|إلغاء|الغاء|لغو|رد کرد',
    'अस्वीकार|रद्द|tinanggih|kinansela|geweigerd|afgewezen|geannuleerd',
  ].join('|'),
)
const MACHINES =
  'node|rpc|server|network|peer|relay(er)?|provider|endpoint|gateway|proxy|policy|firewall|sequencer|bundler|validator|miner|builder|chain|(tx|mem)?pool|socket'
/** These words show that a node, a server or a timer stopped it, although the verb is the same. */
const NOT_BY_USER = new RegExp(
  [
    `\\bby (the |an? )?(${MACHINES})`,
    `\\b(${MACHINES}) (has |was )?(reject|den(y|ied)|declin|refus|cancel|error|failed|failure)`,
    'nonce|underpriced|already known|known transaction|replace|dropped|broadcast|too low',
    'rate limit|gas (price|limit|required|too)|context (was )?cancell?ed|\\bsignal\\b|abort ?error',
    'aborted a request|cancell?ed ?error|err_cancell?ed|promise rejection|http|status code',
    'connection (was |is |has been )?(lost|closed|reset|aborted|refused)|econnrefused|blacklist',
    'refused to connect|(access|permission) (is |was )?denied|denied access|blocklist',
  ].join('|'),
)
/** Browsers say of any request that was broken off, by whomever, that the user aborted it. */
const BY_USER =
  /\buser\b(?! ?op(eration)?\b| aborted a request)|\byou\b|pengguna|用户|用戶|ユーザ|사용자|usuario|usuário|utilisateur|benutzer|пользовател/

/** Reads a failure: what a wallet threw, or resolved with in place of an answer. Never throws. */
export function readFailure(thrown: unknown): Failure {
  const found: Found = { codes: new Set(), texts: [], signs: [], seen: new Set() }
  gather(thrown, found, MAX_DEPTH)
  const text = found.texts.find((each) => each !== '') ?? ''
  return { meaning: meaningOf(found), codes: found.codes, text }
}

function meaningOf({ codes, texts, signs }: Found): FailureMeaning {
  const words = [...signs, ...texts].join('\n').toLowerCase()
  if (isRefusal(words)) return 'refused'
  const isLate = LATE.test(words)
  const byCode = MEANING_OF_CODE.find(([meaning, known]) => {
    return known.some((code) => codes.has(code)) && !(meaning === 'busy' && isLate)
  })
  const byWords = () => MEANING_OF_WORDS.find(([, pattern]) => pattern.test(words))
  return (byCode ?? byWords())?.[0] ?? 'unclear'
}

/** `instanceof` for whatever a wallet threw: it may be an object whose every look throws. */
export function isA<T>(thrown: unknown, type: abstract new (...args: never[]) => T): thrown is T {
  try {
    return thrown instanceof type
  } catch {
    return false
  }
}

function isRefusal(words: string): boolean {
  if (!REFUSAL.test(words) || LATE.test(words)) return false
  return BY_USER.test(words) || !NOT_BY_USER.test(words)
}

type Found = {
  codes: Set<number>
  texts: string[]
  /** Codes and names of errors that are words. */
  signs: string[]
  seen: Set<object>
}

const MAX_DEPTH = 6
/** Enough for every error with its causes; an object that always makes new ones ends here. */
const MAX_OBJECTS = 40
const MAX_LETTERS = 2_000
/** Where wallets, and the libraries between them and the page, put the reason. */
const INNER_KEYS = [
  'message',
  'reason',
  'details',
  'shortMessage',
  'error',
  'errorMessage',
  'msg',
].concat(
  ['data', 'originalError', 'cause', 'info', 'err', 'result', 'response', 'payload'],
  ['errors', '0'], // of a list, the first one
)
const CODE_KEYS = ['code', 'errorCode', 'error_code', 'errCode', 'statusCode', 'status']

function gather(value: unknown, found: Found, depth: number): void {
  if (typeof value === 'string') gatherText(value, found, depth)
  if (typeof value !== 'object' || value === null) return
  if (depth === 0 || found.seen.has(value) || found.seen.size === MAX_OBJECTS) return
  found.seen.add(value)
  for (const key of CODE_KEYS) gatherCode(peek(value, key), found)
  const name = peek(value, 'name')
  if (typeof name === 'string') found.signs.push(name)
  for (const key of INNER_KEYS) {
    const inner = peek(value, key)
    // Text under `data` is what a contract returned.
    if (typeof inner !== 'string' || key !== 'data') gather(inner, found, depth - 1)
  }
}

/** Some wallets send their error as JSON in the text of another one. */
function gatherText(text: string, found: Found, depth: number): void {
  if (depth > 0 && /^\s*\{/.test(text)) {
    const inner = parsed(text)
    if (inner !== undefined) gather(inner, found, depth - 1)
  }
  found.texts.push(text.slice(0, MAX_LETTERS))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // a text that only begins like JSON
  }
}

function gatherCode(code: unknown, { codes, signs }: Found): void {
  if (typeof code === 'number') codes.add(code)
  else if (typeof code === 'string' && /^-?\d+$/.test(code)) codes.add(Number(code))
  else if (typeof code === 'string') signs.push(code)
}
