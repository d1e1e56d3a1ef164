/** Why a month cannot be archived or restored, as a message to the operator. */
export class ArchiveError extends Error {
  override name = 'ArchiveError'
}
