import { expect, test } from 'vitest'
import { KNOWN_WALLETS } from './wallet-links.ts'

const PAGE = 'https://dct.example/register?ref=ABC&x=1'

test.each(KNOWN_WALLETS.map((wallet) => [wallet.name, wallet] as const))(
  'the link into the app of %s contains the whole URL of the page',
  (_, { appLink }) => {
    const { searchParams } = new URL(appLink(PAGE))
    const values = [...searchParams.values()].map((value) =>
      value.startsWith('{') ? JSON.parse(value).url : value,
    )
    expect(values).toContain(PAGE)
  },
)
