import { FREEZE_GRACE_CYCLES } from '@dct/rules/constants'
import { usePublicConfig } from './public-config.ts'

/** How many cycles a frozen earning is still credited. */
export function useGraceCycles(): number {
  return usePublicConfig()?.limits.freeze_grace_cycles ?? FREEZE_GRACE_CYCLES
}
