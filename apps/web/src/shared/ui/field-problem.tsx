/** What is wrong with a field, below it; a toast has announced it. */
export function FieldProblem({ id, text }: { id: string; text: string | undefined }) {
  if (text === undefined) return null
  return (
    <span className="field__error" id={id}>
      {text}
    </span>
  )
}
