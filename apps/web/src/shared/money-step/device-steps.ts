import type { StepOutcome } from '@dct/api-contract/money-steps'
import { storedList } from '../lib/stored-list.ts'
import type { Memory } from '../storage/memory.ts'

/** A step that a page of this device has taken, as far as this device knows. */
export type DeviceStep = {
  /** The address whose session took it. */
  owner: string
  step: string
  attempt: string
  /** Milliseconds since 1970. */
  askedAt: number
  outcome: StepOutcome
  hash: string | null
  /** Whether the service knows this outcome. */
  isReported: boolean
}

const KEY = 'moneySteps'
/** The service keeps the older ones. */
const KEPT = 50

/** The steps of this device, for all of its tabs. They are stored before a wallet is asked, and outlive a reload. */
export class DeviceSteps {
  readonly #memory: Memory
  constructor(memory: Memory) {
    this.#memory = memory
  }

  /** Oldest first. */
  list(owner: string): DeviceStep[] {
    return this.#read().filter((one) => one.owner === owner)
  }

  /** Storing an attempt again replaces it. One whose end is reported is not kept. */
  put(step: DeviceStep): void {
    const others = this.#read().filter(({ attempt }) => attempt !== step.attempt)
    const isDone = step.outcome === 'ended' && step.isReported
    this.#memory.setItem(KEY, JSON.stringify([...others, ...(isDone ? [] : [step])].slice(-KEPT)))
  }

  #read(): DeviceStep[] {
    return storedList(this.#memory, KEY, isDeviceStep)
  }
}

function isDeviceStep(value: unknown): value is DeviceStep {
  const { owner, step, attempt, askedAt, outcome, isReported } = (value ??
    {}) as Partial<DeviceStep>
  const texts = [owner, step, attempt, outcome]
  return (
    texts.every((text) => typeof text === 'string') &&
    typeof askedAt === 'number' &&
    typeof isReported === 'boolean'
  )
}
