import type { Key, ReactNode } from 'react'
import { Fragment, jsx, jsxs } from 'react/jsx-runtime'
import { splitFigures, splitHyphens } from './figures.ts'

export type Props = Readonly<Record<string, unknown>>

/** Elements whose content the browser shows only as plain text. */
const PLAIN_TEXT = new Set<unknown>(['option', 'title', 'text', 'tspan'])

/**
 * The law that lets browsers translate the pages. A translator replaces each text node, so React later changes a node
 * that is no longer shown, or fails to insert before it. React sets the text of an element that contains nothing else
 * through the element, which always works. Therefore each text stands alone in an element, and each figure, date, code
 * and address in one of its own that is not translated.
 * @param type what the JSX names: an HTML element, a component, or one of React's own types
 */
export function withOwnElements(type: unknown, props: Props): Props {
  const { children } = props
  if (children == null || typeof children === 'boolean') return props
  if (PLAIN_TEXT.has(type)) return plainText(props)
  if (typeof type === 'string') {
    if (props.translate === 'no') return props
    if (isText(children)) return alone(String(children), props)
  } else if (typeof type === 'function' && isText(children)) {
    // The component gives its text an element, but may not know of figures.
    return hasFigure(String(children)) ? { ...props, children: ownElement(children) } : props
  }
  const wrapped = isText(children) ? ownElement(children) : wrapTexts(children)
  return wrapped === children ? props : { ...props, children: wrapped }
}

/** The content of an element that contains nothing but a text. */
function alone(text: string, props: Props): Props {
  const isCode = String(props.className ?? '')
    .split(' ')
    .includes('code')
  if (!isCode && !hasFigure(text)) return props
  if (isCode || isFigure(text)) return { translate: 'no', ...props, children: unbroken(text) }
  return { ...props, children: ownElement(text) }
}

/** A text that stands beside others; texts in a row become one, as they are for a reader. */
function wrapTexts(children: unknown): unknown {
  if (!Array.isArray(children)) return children
  const wrapped: unknown[] = []
  let run = ''
  let start = -1
  const endRun = () => {
    if (start >= 0) wrapped[start] = ownElement(run, `text-${start}`)
    run = ''
    start = -1
  }
  for (const [index, child] of children.entries()) {
    if (isText(child)) {
      if (start < 0) start = index
      run += child
      wrapped[index] = null
    } else {
      if (child != null && typeof child !== 'boolean') endRun()
      wrapped[index] = wrapTexts(child)
    }
  }
  endRun()
  return wrapped
}

function ownElement(value: string | number | bigint, key?: Key): ReactNode {
  const text = String(value)
  if (isFigure(text)) return figure(text, key)
  if (!hasFigure(text)) return jsx('span', { children: text }, key)
  const parts = splitFigures(text).map((part, index) => {
    if (part === '') return null
    return index % 2 === 1 ? figure(part) : jsx('span', { children: part })
  })
  return jsxs('span', { children: parts }, key)
}

function figure(text: string, key?: Key): ReactNode {
  return jsx('span', { translate: 'no', children: unbroken(text) }, key)
}

/** Keeps browsers from breaking a code after its hyphens; one that is longer than its line still breaks somewhere. */
function unbroken(text: string): ReactNode {
  const parts = splitHyphens(text)
  if (parts.length === 1) return text
  return jsxs(Fragment, {
    children: parts.map((part, index) =>
      index % 2 === 1 ? jsx('span', { className: 'hyphen', children: part }) : part,
    ),
  })
}

/** An element without markup inside: its texts become one, which is not translated if it contains a figure. */
function plainText(props: Props): Props {
  const parts = [props.children].flat(Number.POSITIVE_INFINITY)
  if (parts.some((part) => typeof part === 'object' && part !== null)) return props
  const text = parts.filter(isText).join('')
  return { ...(hasFigure(text) && { translate: 'no' }), ...props, children: text }
}

function isText(value: unknown): value is string | number | bigint {
  return ['string', 'number', 'bigint'].includes(typeof value)
}

function hasFigure(text: string): boolean {
  return splitFigures(text).length > 1
}

function isFigure(text: string): boolean {
  const [before, , after, ...more] = splitFigures(text)
  return before === '' && after === '' && more.length === 0
}
