import type { OutsideHolder, PendingFee } from '../outside/outside-client.ts'
import type { Product } from './product.ts'

export const PLAN_360 = { code: 'PLAN-360', durationDays: 360 }
export const PLAN_720 = { code: 'PLAN-720', durationDays: 720 }
type Plan = { code: string; durationDays: number }

/** Locks DCT in a plan and waits until the service has booked it. */
export async function joined(
  product: Product,
  holder: OutsideHolder,
  { plan = PLAN_720, amount = '50' }: { plan?: Plan; amount?: string } = {},
): Promise<string> {
  const hash = await holder.lock(plan, amount)
  await product.settle()
  return hash
}

/** Creates a holder with one unpaid fee. */
export async function withOpenFee(
  product: Product,
): Promise<{ holder: OutsideHolder; fee: PendingFee }> {
  const holder = await product.holder()
  await joined(product, holder)
  await product.advance(6)
  return { holder, fee: await claimed(product, holder, { type: 'FULL' }) }
}

/** Claims everything claimable in a plan; returns the open fee. */
export async function claimed(
  product: Product,
  holder: OutsideHolder,
  { plan = PLAN_720, type }: { plan?: Plan; type: 'FULL' | 'HALF' },
): Promise<PendingFee> {
  const body = { earning_plan_code: plan.code, claim_type: type }
  await holder.call('POST', '/api/user/claim', body)
  await product.settle()
  return openFee(holder, plan.code)
}

export async function openFee(holder: OutsideHolder, planCode: string): Promise<PendingFee> {
  const fees = await holder.pendingFees()
  const open = fees.find((fee) => fee.earning_plan_code === planCode && !fee.is_paid)
  if (!open) throw new Error(`${planCode} has no open fee`)
  return open
}

/** Pays a fee's exact amount and waits until the service has processed the payment. */
export async function paid(
  product: Product,
  holder: OutsideHolder,
  fee: PendingFee,
): Promise<string> {
  const hash = await holder.payUsdt(fee.unpaid_fee_usdt)
  await product.settle()
  return hash
}
