import { type BlockRef, type ChainReader, NodeUnavailable } from '@dct/chain-clients'

/** A final block by its number. @throws NodeUnavailable when a node lacks it */
export async function readBlock(reader: ChainReader, number: bigint): Promise<BlockRef> {
  const block = await reader.block(number)
  if (block === null) throw new NodeUnavailable(`a node lacks the final block ${number}`)
  return block
}
