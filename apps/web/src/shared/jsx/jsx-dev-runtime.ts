import type * as React from 'react'
import * as runtime from 'react/jsx-dev-runtime'
import { type Props, withOwnElements } from './own-elements.ts'

/** The same as `jsx-runtime.ts` for code that is not built: tests. */
export const Fragment: typeof runtime.Fragment = runtime.Fragment

export function jsxDEV(
  type: React.ElementType,
  props: Props,
  key: React.Key | undefined,
  isStatic: boolean,
  source?: runtime.JSXSource,
  self?: unknown,
): React.ReactElement {
  const owned = withOwnElements(type, props)
  const isList = isStatic && Array.isArray(owned.children)
  return runtime.jsxDEV(type, owned, key, isList, source, self)
}
export type { JSX } from './jsx-runtime.ts'
