import { expect, test } from 'vitest'
import { KNOWN_WALLETS } from './wallet-links.ts'

const PAGE = 'https://dct.example/register?ref=ABC&x=1'

test.each(
  KNOWN_WALLETS.flatMap(({ name, appLink }) => (appLink ? [[name, appLink] as const] : [])),
)(
  'the link into the app of %s contains the whole URL of the page, with the referral code',
  (_, appLink) => {
    const { pathname, search, searchParams } = new URL(appLink(PAGE))
    const values = [...searchParams.values()].map((value) =>
      value.startsWith('{') ? JSON.parse(value).url : value,
    )
    // One names the page in its own path instead of a parameter.
    const inPath = `${pathname}${search}`.replace(/^\/dapp\//, 'https://')
    expect([...values, inPath]).toContain(PAGE)
  },
)
