import { expect, test } from 'vitest'
import { createLaneStanding } from './lane-standing.ts'

const FAILURE = { isOver: false, isPersonal: true, tookMs: 10_000 }

test.each([
  ['do not answer', true, 2],
  ['refuse', false, 3],
])(
  'several receivers who %s are no coincidence (unreached: %s) after %i attempts each',
  (_what, isUnreached, enough) => {
    const standing = createLaneStanding()
    for (let attempts = 1; attempts <= enough; attempts += 1) {
      for (const receiver of ['a', 'b', 'c']) {
        expect(standing.isFailing()).toBe(false)
        standing.failed(receiver, { ...FAILURE, attempts, isUnreached })
      }
    }
    expect(standing.isFailing()).toBe(true)
    standing.succeeded('a')
    standing.succeeded('b')
    expect(standing.isFailing()).toBe(false)
  },
)
