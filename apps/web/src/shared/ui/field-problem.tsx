/** A field's error, shown below it; a toast has already announced it. */
export function FieldProblem({ id, text }: { id: string; text: string | undefined }) {
  if (text === undefined) return null
  return (
    <span className="field__error" id={id}>
      {text}
    </span>
  )
}
