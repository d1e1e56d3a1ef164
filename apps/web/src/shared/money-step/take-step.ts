import type { StepOutcome } from '@dct/api-contract/money-steps'
import { judgeStep, type MoneyStep, type StepAnswer } from '@dct/rules/money-steps'
import type { DeviceStep, DeviceSteps } from './device-steps.ts'
import type { StepLock } from './step-lock.ts'

/** The wallet was not asked, because an earlier asking for the same purpose may still move money, or has. */
export class StepTaken extends Error {
  override name = 'StepTaken'
  /** Newest first. */
  readonly steps: readonly MoneyStep[]
  /** Whether a press that names all of these attempts as known may go on. */
  readonly mayConfirm: boolean
  constructor({ steps, mayConfirm }: { steps: readonly MoneyStep[]; mayConfirm: boolean }) {
    super('Another step is under way')
    this.steps = steps
    this.mayConfirm = mayConfirm
  }
}

/** The service's side of the steps, which all devices of a user share. Its methods fail if it does not answer. */
export type StepService = {
  take(press: { step: string; attempt: string; known: readonly string[] }): Promise<StepAnswer>
  report(report: {
    step: string
    attempt: string
    outcome: StepOutcome
    hash: string | null
  }): Promise<void>
}

export type StepDeps = {
  /** The address that is logged in. */
  owner: string
  device: DeviceSteps
  lock: StepLock
  service: StepService
  now(): number
  newAttempt(): string
  /** Repeats work while a page waits. @returns a function that stops it */
  repeat(work: () => Promise<void>): () => void
}

export type Press = {
  /** What is paid or locked, as `<kind>:<what>`. */
  step: string
  /** The attempts that the person knew of, and decided to go on in spite of. */
  known: readonly string[]
  /**
   * Fetches what the service and the chain know of money for this purpose now. Called once the step is taken, so that
   * nothing can happen unseen between the answer and the wallet. @throws if it is not known, or nothing is due any more
   */
  facts(): Promise<readonly MoneyStep[]>
  /** Whether the wallet may have sent something although it failed like this. */
  mayBeSent(error: unknown): boolean
}

export type HeldStep = {
  attempt: string
  /** Call it just before the wallet is asked for what moves money. */
  asking(): void
  /** Call it with a transaction as soon as it is known, also after the work has ended. */
  sent(hash: string): Promise<void>
}

/**
 * Asks a wallet for a step that moves money. Before `ask` is called, the step is stored for all tabs of this device and,
 * by the service, for all devices; it stays stored until nothing can come of it any more.
 * @throws StepTaken if an earlier one may still be under way; whatever the service, `facts` or `ask` throws
 */
export async function takeStep<T>(
  deps: StepDeps,
  press: Press,
  ask: (held: HeldStep) => Promise<T>,
): Promise<T> {
  const { owner, device, lock } = deps
  const { step } = press
  const turn = await lock.alone(`${owner}:${step}`, () => takeAlone(deps, press, ask))
  if (turn.isFree) return turn.value
  const busy = device.list(owner).filter((one) => one.step === step && one.outcome !== 'ended')
  throw new StepTaken({ mayConfirm: false, steps: busy.toReversed().slice(0, 1).map(busyStep) })
}

async function takeAlone<T>(
  deps: StepDeps,
  press: Press,
  ask: (held: HeldStep) => Promise<T>,
): Promise<T> {
  const { owner, device, service } = deps
  const { step, known, facts, mayBeSent } = press
  await reportLeft(deps, step)
  const attempt = deps.newAttempt()
  const taken = { owner, step, attempt, askedAt: deps.now(), hash: null, isReported: false }
  device.put({ ...taken, outcome: 'waiting' })

  const sent: { hash: string | null } = { hash: null }
  let mayHaveAsked = false
  const report = (outcome: StepOutcome) =>
    storeAndReport(deps, { ...taken, outcome, hash: sent.hash })
  const held: HeldStep = {
    attempt,
    asking: () => {
      mayHaveAsked = true
    },
    async sent(hash) {
      sent.hash = hash
      await report('sent')
    },
  }
  const stop = deps.repeat(async () => {
    if (sent.hash === null) await service.report({ step, attempt, outcome: 'waiting', hash: null })
  })
  try {
    refuse(await service.take({ step, attempt, known }))
    refuse(judgeStep(await facts(), known))
    const value = await ask(held)
    if (sent.hash === null) await report('ended')
    return value
  } catch (error) {
    const isUnknown = mayHaveAsked && mayBeSent(error)
    if (sent.hash === null) await report(isUnknown ? 'unknown' : 'ended')
    throw error
  } finally {
    stop()
  }
}

function refuse(answer: StepAnswer): void {
  if (answer.kind === 'taken') throw new StepTaken(answer)
}

/**
 * Ends a step: its money has arrived, has been recorded, or certainly never left. Repeating it is harmless.
 * @param of the step's name and attempt
 */
export async function endStep(
  deps: Pick<StepDeps, 'owner' | 'device' | 'service'>,
  { step, attempt }: { step: string; attempt: string },
): Promise<void> {
  const known = deps.device.list(deps.owner).find((one) => one.attempt === attempt)
  const { askedAt, hash } = known ?? { askedAt: 0, hash: null }
  const { owner } = deps
  await storeAndReport(deps, {
    owner,
    step,
    attempt,
    askedAt,
    hash,
    outcome: 'ended',
    isReported: false,
  })
}

/**
 * Reports what earlier pages of this device could not: they were closed while a wallet was asked, or the service did not
 * answer. Call it while no other tab works on the step.
 * @throws if the service does not answer
 */
export async function reportLeft(
  deps: Pick<StepDeps, 'owner' | 'device' | 'service' | 'lock'>,
  step: string,
): Promise<void> {
  for (const left of deps.device.list(deps.owner)) {
    const isAbandoned = left.outcome === 'waiting' && deps.lock.coversTabs
    if (left.step !== step || (left.isReported && !isAbandoned)) continue
    if (left.outcome === 'waiting' && !isAbandoned) continue
    await reportNow(deps, isAbandoned ? { ...left, outcome: 'unknown' } : left)
  }
}

type Reporter = Pick<StepDeps, 'device' | 'service'>

/** Stores an outcome here, and tells the service; if it does not answer, the next page does. */
async function storeAndReport(deps: Reporter, step: DeviceStep): Promise<void> {
  deps.device.put(step)
  try {
    await reportNow(deps, step)
  } catch {
    // Stored above as not reported.
  }
}

async function reportNow({ device, service }: Reporter, step: DeviceStep): Promise<void> {
  const { attempt, outcome, hash } = step
  await service.report({ step: step.step, attempt, outcome, hash })
  device.put({ ...step, isReported: true })
}

/** The step that another tab is working on. */
function busyStep({ attempt, askedAt, hash }: DeviceStep): MoneyStep {
  return { attempt, askedAt, hash, state: hash === null ? 'waiting' : 'sent' }
}
