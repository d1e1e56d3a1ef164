import { type MoneyStep, STEP_LEASE_MS } from '@dct/rules/money-steps'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { clock } from '../clock.ts'
import { peek } from '../lib/peek.ts'
import { randomId } from '../lib/random-id.ts'
import { useSession } from '../session/session.tsx'
import { deviceMemory } from '../storage/memory.ts'
import { DeviceSteps } from './device-steps.ts'
import { browserLock } from './step-lock.ts'
import { stepQueries, stepService } from './steps.api.ts'
import {
  endStep,
  type HeldStep,
  type Press,
  reportLeft,
  type StepDeps,
  takeStep,
} from './take-step.ts'

const device = new DeviceSteps(deviceMemory)
const lock = browserLock(peek(globalThis.navigator, 'locks') as LockManager | undefined)
/** Attempts of this page, which shows them itself. */
const own = new Set<string>()

function depsOf(owner: string): StepDeps {
  return {
    ...{ owner, device, lock, service: stepService },
    now: () => clock.now().getTime(),
    newAttempt() {
      const attempt = randomId()
      own.add(attempt)
      return attempt
    },
    repeat(work) {
      // A report that fails is made up for by the next one.
      const timer = setInterval(() => void work().catch(() => undefined), STEP_LEASE_MS / 3)
      return () => clearInterval(timer)
    },
  }
}

export type TakeMoneyStep = <T>(press: Press, ask: (held: HeldStep) => Promise<T>) => Promise<T>

/** Takes and ends the steps of whoever is signed in. */
export function useMoneySteps(): {
  take: TakeMoneyStep
  end(step: { step: string; attempt: string }): Promise<void>
} {
  const queryClient = useQueryClient()
  const owner = useSession().user?.tron_address ?? ''
  const refresh = () => queryClient.invalidateQueries({ queryKey: stepQueries.all })
  return {
    async take(press, ask) {
      try {
        return await takeStep(depsOf(owner), press, ask)
      } finally {
        void refresh()
      }
    },
    async end(step) {
      await endStep(depsOf(owner), step)
      await refresh()
    },
  }
}

/** What was asked of a wallet for one purpose, here or elsewhere, and may still move money; without this page's waits. */
export function useOpenSteps(step: string): readonly MoneyStep[] {
  const owner = useSession().user?.tron_address
  const queryClient = useQueryClient()
  const steps =
    useQuery({ ...stepQueries.open(step), enabled: owner !== undefined && step !== '' }).data ?? []
  useEffect(() => {
    if (owner === undefined || step === '') return
    const deps = depsOf(owner)
    if (!device.list(owner).some((one) => one.step === step)) return
    const report = async () => {
      await lock.alone(`${owner}:${step}`, () => reportLeft(deps, step))
      await queryClient.invalidateQueries({ queryKey: stepQueries.all })
    }
    // Tried again when the step is taken.
    void report().catch(() => undefined)
  }, [owner, step, queryClient])
  return steps.filter(({ attempt, state }) => !(state === 'waiting' && own.has(attempt)))
}
