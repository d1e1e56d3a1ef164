import {
  type ChainReader,
  createNodeGroup,
  createNodeStanding,
  createQuorumReader,
} from '@dct/chain-clients'

/** Combines the readers of several nodes into one. */
export function quorumOf(...readers: readonly ChainReader[]): ChainReader {
  const nodes = readers.map((client, at) => ({
    client,
    standing: createNodeStanding(`node-${at}`),
  }))
  return createQuorumReader(createNodeGroup(nodes))
}
