import { parseBusinessTime } from '@dct/rules/business-day'

type NoteDraft = Readonly<Record<'text_id' | 'text_en' | 'starts_at' | 'ends_at', string>>
type NoteProblem = 'incomplete' | 'backwards'

/** What is wrong with each field of a note that cannot be announced; empty if nothing is. */
export function noteProblems(draft: NoteDraft): Partial<Record<keyof NoteDraft, NoteProblem>> {
  const starts = instantOf(draft.starts_at)
  const ends = instantOf(draft.ends_at)
  return {
    ...(draft.text_id.trim() === '' && { text_id: 'incomplete' }),
    ...(draft.text_en.trim() === '' && { text_en: 'incomplete' }),
    ...(starts === undefined && { starts_at: 'incomplete' }),
    ...(ends === undefined && { ends_at: 'incomplete' }),
    ...(starts !== undefined && ends !== undefined && ends <= starts && { ends_at: 'backwards' }),
  }
}

/** The instant of a business time; undefined while it is incomplete. */
export function instantOf(typed: string): string | undefined {
  try {
    return parseBusinessTime(typed).toISOString()
  } catch {
    return undefined // what the label asks for has not been entered yet
  }
}
