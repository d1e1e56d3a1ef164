import { type PropsWithChildren, useContext, useMemo } from 'react'
import { UNSAFE_NavigationContext as NavigationContext, type Navigator } from 'react-router'
import { afterLeaving } from '../shared/ui/back-closes.ts'

/** Holds a navigation while a dialog that has just closed leaves its history entry: that step back would undo it. */
export function SettledNavigation({ children }: PropsWithChildren) {
  const router = useContext(NavigationContext)
  const settled = useMemo(() => {
    const { push, replace } = router.navigator
    const navigator: Navigator = {
      ...router.navigator,
      push: (...args) => afterLeaving(() => push(...args)),
      replace: (...args) => afterLeaving(() => replace(...args)),
    }
    return { ...router, navigator }
  }, [router])
  return <NavigationContext value={settled}>{children}</NavigationContext>
}
