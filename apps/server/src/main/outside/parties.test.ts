import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { test } from 'vitest'
import { everyPartyFails } from '../../testing/every-party-fails.ts'

const host = useChainHost()

test('a holder joins, claims and is paid while every outside party fails in turn, each in the next way: each is named within a minute and none besides, every alarm ends by itself, and nothing is lost', async () => {
  await everyPartyFails(host())
}, 900_000)
