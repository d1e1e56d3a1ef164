import type { ReactNode } from 'react'
import { Link } from 'react-router'

/** The common questions, each with an answer on their page. */
export type QuestionId =
  | 'begin'
  | 'energy'
  | 'twice'
  | 'earlier'
  | 'cycle'
  | 'minimum'
  | 'kinds'
  | 'fee'
  | 'bsc'
  | 'exact'
  | 'waiting'
  | 'unpaid'
  | 'freeze'
  | 'end'
  | 'referral'
  | 'proof'

/** Links to the answer of a question that arises here. */
export function QuestionLink({ id, children }: { id: QuestionId; children: ReactNode }) {
  return (
    <Link className="small" to={`/questions#${id}`}>
      {children}
    </Link>
  )
}
