/** Parameters that name a plan: every code is in capital letters. */
const PLAN_CODES = new Set(['plan_code', 'earning_plan_code'])
/** Numbers, where an empty value is a mistake. */
const NEVER_EMPTY = new Set(['page', 'limit'])

/**
 * Normalises a query before its schema is checked: an empty parameter counts as left out, a sort order may be in upper
 * case, a plan code in lower case and with spaces around it.
 */
export function tidyQuery(query: unknown): void {
  if (typeof query !== 'object' || query === null) return
  const parameters = query as Record<string, unknown>
  for (const [name, value] of Object.entries(parameters)) {
    if (typeof value !== 'string') continue
    if (value.trim() === '' && !NEVER_EMPTY.has(name)) delete parameters[name]
    else if (name === 'sort_order') parameters[name] = value.trim().toLowerCase()
    else if (name === 'sort_by') parameters[name] = value.trim()
    else if (PLAN_CODES.has(name)) parameters[name] = normalizePlanCode(value)
  }
}

/** A plan code in the form in which plans are stored, however it was typed. */
export function normalizePlanCode(text: string): string {
  return text.trim().toUpperCase()
}
