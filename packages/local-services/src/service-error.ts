/** A service cannot run here; the message explains why to the person at the terminal. */
export class ServiceError extends Error {
  override name = 'ServiceError'
}
