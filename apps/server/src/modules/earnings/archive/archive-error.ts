/** Why a month cannot be archived or restored, as a message for the operator. */
export class ArchiveError extends Error {
  override name = 'ArchiveError'
}
