import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { test } from 'vitest'
import { everyPartyFails } from '../../testing/every-party-fails.ts'
import { FAULTS } from '../../testing/failing-parties.ts'

const host = useChainHost()

test.each(FAULTS)(
  'a holder joins, claims and is paid while every outside party is %s in turn: each is named within a minute and none besides, every alarm ends by itself, and nothing is lost',
  async (fault) => {
    await everyPartyFails(host(), fault)
  },
  900_000,
)
