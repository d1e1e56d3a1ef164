import type { Engine } from '../core/engine.ts'
import type { EvmBlock } from '../core/evm-node.ts'
import { blockIdOf, referenceTo } from './block-id.ts'
import { readBlock } from './node.ts'
import { DEFAULT_EXPIRATION_MS } from './parameters.ts'
import type { ContractType } from './schemas.ts'
import { type TronTransaction, transactionFromJson } from './transaction.ts'
import type { Json } from './wire.ts'

/** Builds an unsigned transaction that refers to the newest final block, as a node does. */
export async function buildTransaction(
  engine: Engine,
  contract: {
    type: ContractType
    value: Json
    feeLimit?: unknown
    permissionId?: unknown
    memo?: unknown
  },
): Promise<TronTransaction> {
  const { nodes, clock } = engine
  const reference = (await readBlock(engine, nodes.tron.finalNumber())) as EvmBlock
  return transactionFromJson({
    raw_data: {
      contract: [
        {
          type: contract.type,
          parameter: { value: contract.value },
          Permission_id: contract.permissionId,
        },
      ],
      ...referenceTo(blockIdOf(reference)),
      expiration: nodes.tron.head().timestamp * 1000 + DEFAULT_EXPIRATION_MS,
      timestamp: clock.nowMs(),
      fee_limit: contract.feeLimit,
      data: contract.memo,
    },
  })
}
