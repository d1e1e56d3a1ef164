/** What goes wrong around the service must be told to its operators while it lasts. */
import { MUTE, type NodeMood } from '../chains/node-faults.ts'
import type { Stage } from '../story/stage.ts'
import { type Channel, MAIL_FAULTS } from '../world/inboxes.ts'
import { choose, type Play } from './act.ts'
import { askForMessages, endMessageFaults, noteTrouble } from './messages.ts'

const MINUTE_MS = 60_000
/** How long operators wait for a word, in turns of ten minutes each. */
const TURNS = 4

const NODE = /^node_/

type Trouble = {
  name: string
  /** Kinds of alarms that name it, while it lasts. */
  told(stage: Stage): RegExp
  /** @returns what ends it; undefined if it is not possible in this world */
  begin(stage: Stage, which: number): (() => void) | Promise<(() => void) | undefined> | undefined
}

const TROUBLES: readonly Trouble[] = [
  {
    name: 'no TRX for energy',
    told: ({ world }) => lowOrUnknown(world.chains.tronNodes),
    begin({ world }) {
      const { trx, pool } = world.chains.tron.state
      const { operator } = pool
      trx.set(operator, 1_000n)
      return () => void world.chains.tron.state.trx.set(operator, 10n ** 15n)
    },
  },
  {
    name: 'no BNB for gas',
    told: ({ world }) => lowOrUnknown(world.chains.bscNodes),
    begin({ world }) {
      const { payout } = world.installation.places
      world.chains.bsc.state.bnb.set(payout, 1_000n)
      return () => void world.chains.bsc.state.bnb.set(payout, 10n ** 24n)
    },
  },
  ...MUTE.map((fault): Trouble => {
    return {
      name: `a node that is ${fault}`,
      told: () => NODE,
      begin({ world }, which) {
        const { tronNodes, bscNodes } = world.chains
        const nodes = which % 2 === 0 ? tronNodes : bscNodes
        // With a single one, nothing is known of its chain, which other alarms say.
        if (nodes.length < 2) return undefined
        const { mood } = choose<{ mood: (typeof nodes)[number]['mood'] }>(nodes, which)
        mood.fault = fault
        return () => {
          mood.fault = undefined
        }
      },
    }
  }),
  ...MAIL_FAULTS.map((fault): Trouble => {
    return {
      name: `a mail server that is ${fault}`,
      told: () => FAILING,
      begin: (stage, which) =>
        failWith(stage, which, 'email', () => {
          stage.world.inboxes.mailFault = fault
        }),
    }
  }),
  {
    name: 'a push service that refuses us',
    told: () => FAILING,
    begin: (stage, which) =>
      failWith(stage, which, 'push', () => {
        stage.world.inboxes.pushFault = 'refuses us'
      }),
  },
]

const FAILING = /^messages\.failing$/

/** A holder who receives messages this way asks for one while it fails. */
async function failWith(
  stage: Stage,
  which: number,
  channel: Channel,
  fail: () => void,
): Promise<(() => void) | undefined> {
  const { inboxes } = stage.world
  const live = () => stage.boxes.find((one) => one.channel === channel && !inboxes.gone.has(one.to))
  endMessageFaults(stage)
  if (live() === undefined) await askForMessages(stage, [which, channel === 'email' ? 0 : 1, 0, 0])
  const box = live()
  const holder = stage.holders.find(({ tronAddress }) => tronAddress === box?.holder)
  if (holder === undefined) return undefined
  fail()
  noteTrouble(stage)
  const reply = await stage.api.call(holder, 'POST', '/user/messages/test', { channel })
  stage.answered('test message', reply)
  const end = () => void endMessageFaults(stage)
  // A restored database may not know the channel.
  if (reply.status === 200) return end
  end()
  return undefined
}

/** A balance is known while enough nodes answer: of two both, of more all but one. Otherwise the nodes are the news. */
function lowOrUnknown(nodes: readonly { mood: NodeMood }[]): RegExp {
  const answering = nodes.filter(({ mood }) => !isMute(mood)).length
  const needed = nodes.length <= 2 ? nodes.length : nodes.length - 1
  return answering >= needed ? /^funds\.low$/ : NODE
}

/** Whether what it replies with can't be read. */
function isMute({ fault }: NodeMood): boolean {
  return fault !== undefined && MUTE.some((one) => one === fault)
}

export const namedFault: Play = async (stage, [what, which]) => {
  const { world } = stage
  const trouble = choose(TROUBLES, what)
  if (world.process('worker') === undefined || world.process('api') === undefined) return
  const end = await trouble.begin(stage, which)
  if (end === undefined) return
  stage.coverage.reach('fault', trouble.name)
  stage.say(`there is ${trouble.name} for ${TURNS * 10} minutes`)
  const from = world.toldToOperators.length
  for (let turn = 0; turn < TURNS; turn += 1) {
    await world.moveTo(world.now + 10 * MINUTE_MS)
    world.mine(3)
    await world.turn()
  }
  const told = trouble.told(stage)
  const isTold =
    world.toldToOperators.slice(from).some(({ kind }) => told.test(kind)) ||
    (await isKnown(stage, told))
  if (!isTold) stage.accuse('every fault is named in an alarm', trouble.name, trouble.name)
  end()
}

/** An alarm that was raised before is not told again. */
async function isKnown({ api, world }: Stage, told: RegExp): Promise<boolean> {
  const { body } = await api.call(world.admin, 'GET', '/admin/alarms')
  return ((body.alarms ?? []) as { kind: string }[]).some(({ kind }) => told.test(kind))
}
