/** A service cannot run here, for a reason that the message tells the person at the terminal. */
export class ServiceError extends Error {
  override name = 'ServiceError'
}
