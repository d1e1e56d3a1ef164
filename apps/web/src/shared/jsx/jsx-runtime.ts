import type * as React from 'react'
import * as runtime from 'react/jsx-runtime'
import { type Props, withOwnElements } from './own-elements.ts'

/** All JSX of the pages passes through here (`jsxImportSource`), so no page can break the law of `own-elements.ts`. */
export const Fragment: typeof runtime.Fragment = runtime.Fragment

/** An element with at most one child, or a list of keyed ones. */
export function jsx(type: React.ElementType, props: Props, key?: React.Key): React.ReactElement {
  return runtime.jsx(type, withOwnElements(type, props), key)
}

/** An element with several children, which may all be texts and become one. */
export function jsxs(type: React.ElementType, props: Props, key?: React.Key): React.ReactElement {
  const owned = withOwnElements(type, props)
  return Array.isArray(owned.children)
    ? runtime.jsxs(type, owned, key)
    : runtime.jsx(type, owned, key)
}

/** What a component may return: a bare text would have no element of its own. `<>{text}</>` gives it one. */
type Rendered = React.ReactElement | null | undefined | boolean | readonly Rendered[]

/** React's types of JSX, but for components that return a bare text. */
export declare namespace JSX {
  type ElementType =
    | keyof React.JSX.IntrinsicElements
    | ((props: never) => Rendered)
    | React.ExoticComponent<never>
    | (new (
        props: never,
      ) => React.Component)
  type Element = React.JSX.Element
  type ElementClass = React.JSX.ElementClass
  type ElementAttributesProperty = React.JSX.ElementAttributesProperty
  type ElementChildrenAttribute = React.JSX.ElementChildrenAttribute
  type LibraryManagedAttributes<C, P> = React.JSX.LibraryManagedAttributes<C, P>
  type IntrinsicAttributes = React.JSX.IntrinsicAttributes
  type IntrinsicClassAttributes<T> = React.JSX.IntrinsicClassAttributes<T>
  type IntrinsicElements = React.JSX.IntrinsicElements
}
