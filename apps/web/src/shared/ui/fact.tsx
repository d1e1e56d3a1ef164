import type { PropsWithChildren } from 'react'
import { Term } from '../glossary/term.tsx'
import type { Word } from '../glossary/word.ts'

type FactProps = PropsWithChildren<{
  term: string
  /** The glossary word that explains the term. */
  word?: Word
  hint?: string | undefined
  tone?: 'warn'
  /** The value's class. */
  className?: string
}>

/** One term and its value in a `<dl className="facts">`; the hint explains the term. */
export function Fact({ term, word, hint, tone, className, children }: FactProps) {
  return (
    <div>
      <dt>
        <span>{word ? <Term word={word}>{term}</Term> : term}</span>
        {hint && <span className="facts__hint">{hint}</span>}
      </dt>
      <dd className={className} data-tone={tone}>
        {children}
      </dd>
    </div>
  )
}
