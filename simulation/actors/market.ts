/** The market price of DCT, which the service follows where it is told to, and admins who correct the price. */
import { parseUnits } from '@dct/money'
import type { Stage } from '../story/stage.ts'
import { MARKET } from '../world/chains.ts'
import { choose, type Play } from './act.ts'
import { shown } from './shown.ts'
import { beginToday } from './time.ts'

const MINUTE_MS = 60_000
/** How far the pair may move the price within a day, in percent. */
const STEP_PERCENT = 10n
const DAY_MS = 86_400_000
const PRICE_DECIMALS = 8

/** Whether the service follows the pair in this story. */
export function hasPair({ world }: Stage): boolean {
  return world.installation.settings?.PRICE_PAIR !== undefined
}

function marketPrice({ world }: Stage): bigint {
  const { dct, usdt } = world.chains.tron.state.pair.reserves
  return (usdt * 10n ** BigInt(PRICE_DECIMALS)) / dct
}

/** The market moves; some hours pass, in which the service looks every ten minutes. */
export const moveMarket: Play = async (stage, [to, hours]) => {
  if (!hasPair(stage)) return
  const { world } = stage
  const percent = choose([50n, 80n, 95n, 105n, 130n, 200n], to)
  world.chains.tron.state.pair.reserves.usdt = (MARKET * percent) / 100n
  stage.say(`the market moves to ${percent} % of 1 USDT`)
  await watchMarket(stage, [0, hours, 0, 0])
}

export const watchMarket: Play = async (stage, [, hours]) => {
  if (!hasPair(stage)) return
  const { world } = stage
  const looks = 6 * (1 + (hours % 4))
  for (let look = 0; look < looks; look += 1) {
    const before = world.day
    await world.moveTo(world.now + 10 * MINUTE_MS)
    world.mine(3)
    await world.turn(
      (loop) =>
        loop.includes('price') ||
        loop.startsWith('watcher') ||
        loop === 'distributor' ||
        loop === 'availability',
    )
    if (world.day !== before) beginToday(stage)
    await judgePrice(stage)
  }
  stage.say(`${looks / 6} h of the market pass`)
}

/** Two admins set the price that they see on the market. */
export const correctPrice: Play = async (stage) => {
  if (!hasPair(stage)) return
  const price = marketPrice(stage)
  const text = `${price / 10n ** 8n}.${`${price % 10n ** 8n}`.padStart(PRICE_DECIMALS, '0')}`
  const { admin, secondAdmin } = stage.world
  let reply = await stage.api.call(admin, 'POST', '/admin/money-settings', {
    name: 'price',
    value: text,
  })
  if (reply.status === 202)
    reply = await stage.api.call(secondAdmin, 'POST', '/admin/money-settings', {
      name: 'price',
      value: text,
    })
  stage.answered('correct price', reply)
  stage.say(`two admins set the price of the market, ${text}: ${shown(reply)}`)
  if (reply.status === 200 && reply.body.is_set === true)
    stage.adminPrice = { price, at: stage.world.now }
}

/** The price in force; fees follow it. Within a day of a price that admins set, the pair moves it by one step at most. */
export async function judgePrice(stage: Stage): Promise<void> {
  const { body } = await stage.api.call(stage.world.admin, 'GET', '/admin/price')
  if (typeof body.price !== 'string') return
  stage.books.price = parseUnits(body.price, PRICE_DECIMALS)
  const { adminPrice } = stage
  if (adminPrice === undefined || stage.world.now - adminPrice.at > DAY_MS) return
  const [low, high] = [100n - STEP_PERCENT, 100n + STEP_PERCENT].map(
    (part) => (adminPrice.price * part) / 100n,
  )
  const isWithin = stage.books.price >= (low ?? 0n) && stage.books.price <= (high ?? 0n)
  if (!isWithin)
    stage.accuse(
      'a corrected price stays',
      'price',
      `it is ${body.price}, admins set ${adminPrice.price} base units`,
    )
}
