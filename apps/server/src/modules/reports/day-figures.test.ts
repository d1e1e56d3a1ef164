import { parseAmount } from '@dct/money'
import { expect, test } from 'vitest'
import { businessDayOf } from '../../platform/clock.ts'
import { givenHolder } from '../../testing/claims.ts'
import { useFreshClaims } from '../../testing/fresh-claims.ts'
import { dayFigures } from './day-flows.queries.ts'

const { world, clock } = useFreshClaims()

async function rewardsOf(days: number) {
  await givenHolder(world, { days })
  const now = clock.now()
  const figures = await dayFigures(world.db, businessDayOf(now), { from: now, before: now })
  const of = (name: string) => figures.find(({ figure }) => figure === name)
  return [of('rewards_credited'), of('rewards_lapsed')].map((one) =>
    [one?.count, one?.amount].map(Number),
  )
}
// 50 DCT at 72% in 360 cycles.
const REWARD = Number(parseAmount('DCT', '0.1'))

test('the last day of the grace credits its cycle', async () => {
  expect(await rewardsOf(33)).toEqual([
    [1, REWARD],
    [0, 0],
  ])
})

test('a day on which its only cycle lapsed credited none', async () => {
  expect(await rewardsOf(34)).toEqual([
    [0, 0],
    [1, REWARD],
  ])
})
