/** A reason not to start, as a message for the operator. */
export class StartError extends Error {
  override name = 'StartError'
}
