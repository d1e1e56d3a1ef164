/**
 * The terms that are in force until the operator publishes others, in both languages. If a word changes,
 * `TERMS_VERSION` must get a new value.
 */
export const DEFAULT_TERMS = {
  id: `# Ketentuan

## Paket dan imbalan

Paket berjalan selama 360 siklus dengan imbalan 0,2% dari jumlah yang dikunci per siklus, atau 720 siklus dengan imbalan 0,3% dari jumlah yang dikunci per siklus. Satu siklus adalah satu hari kalender menurut waktu WIB (UTC+7).

## Biaya klaim

Biaya klaim adalah {{claim_fee_percentage}}% dari imbalan yang diklaim, dibayar dalam USDT di jaringan BSC (BEP20). Di luar itu ada biaya energi tersendiri.

## Batas waktu klaim

Klaim wajib dilakukan paling lambat setiap {{freeze_after_cycles}} siklus. Jika tidak, akun dibekukan dan siklus berikutnya dapat hangus sampai klaim dilakukan.

## Cara klaim 1: FULL

Biaya dibayar lebih dahulu, lalu 100% imbalan diterima.

## Cara klaim 2: HALF

50% imbalan diklaim tanpa membayar lebih dahulu, dan biaya dibayar untuk menerima 50% lainnya. Biaya tetap dihitung dari seluruh jumlah yang diklaim.

## Batas pool awal

Batas pool awal adalah 20.000 DCT.

## Pengembalian token

Token yang dikunci kembali secara otomatis setelah masa kunci berakhir, hanya ke dompet yang menguncinya. Tombol "Claim Capital" (Klaim Modal) memintanya lebih cepat.

## Pengiriman imbalan

Imbalan dikirim dalam waktu 1x{{reward_sent_within_hours}} jam setelah biaya dibayar.

## Bantuan

Bantuan diberikan melalui e-mail: {{support_email}}

# Bagaimana layanan ini menerapkan ketentuan ini

## Masa tenggang

Earning dibekukan setelah {{freeze_after_cycles}} siklus tanpa klaim, atau setelah lebih banyak siklus bila klaim minimum belum tercapai sampai saat itu. Imbalan {{freeze_grace_cycles}} siklus berikutnya masih dikreditkan. Hari ketika klaim tidak dapat dilakukan karena layanan ini tidak dihitung.

## Imbalan yang hangus

Mulai siklus ke-{{lost_from_cycle}} tanpa klaim, imbalan setiap siklus hangus sampai klaim dilakukan, dan tidak diganti. Imbalan yang telah dikreditkan tetap dapat diklaim.

## Setelah paket berakhir

Klaim diterima sampai {{claim_open_days_after_end}} hari setelah paket berakhir, dan biaya klaim sampai {{fee_open_days_after_end}} hari setelah paket berakhir. Imbalan yang saat itu belum diklaim, atau yang biayanya belum dibayar, hangus. Token yang dikunci tidak terpengaruh.

## Biaya klaim HALF

Biaya klaim HALF adalah {{claim_fee_percentage}}% dari seluruh klaim, sama seperti FULL, dan bukan {{claim_fee_percentage}}% dari separuh yang dikirim setelah biaya dibayar. Klaim FULL yang belum dibayar dapat dibatalkan setelah {{cancel_after_hours}} jam, klaim HALF tidak.
`,
  en: `# The terms

## Plans and rewards

Plans run 360 cycles at 0.2% of the locked amount per cycle, or 720 cycles at 0.3% of the locked amount per cycle. A cycle is one calendar day in Western Indonesia Time (UTC+7).

## Claim fee

The claim fee is {{claim_fee_percentage}}% of the claimed reward, payable in USDT on the BSC (BEP20) network. A separate energy fee applies in addition.

## When to claim

A claim must be made at least every {{freeze_after_cycles}} cycles, or the account is frozen and later cycles can lapse until a claim is made.

## Claim method 1: FULL

The fee is paid first, then 100% of the reward is received.

## Claim method 2: HALF

50% of the reward is claimed free, and the fee is paid to receive the other 50%. The fee is still calculated on the whole claimed amount.

## Initial pool

The initial pool limit is 20,000 DCT.

## Return of your tokens

Locked tokens return automatically after the lock period, only ever to the wallet that locked them. The button "Claim Capital" requests this sooner.

## Sending of rewards

Rewards are sent within 1x{{reward_sent_within_hours}} hours after the fee is paid.

## Support

Support is given by e-mail: {{support_email}}

# How this service applies these rules

## Grace period

An earning is frozen after {{freeze_after_cycles}} cycles without a claim, or after more cycles if the minimum claim has not been reached by then. The rewards of the next {{freeze_grace_cycles}} cycles are still credited. Days on which claims were impossible because of this service are not counted.

## Rewards that are lost

From cycle {{lost_from_cycle}} without a claim, the reward of each cycle is lost until a claim is made, and is not replaced. Rewards that have been credited can still be claimed.

## After the plan has ended

Claims are accepted until {{claim_open_days_after_end}} days after the plan has ended, and claim fees until {{fee_open_days_after_end}} days after it has ended. Rewards that have not been claimed, or whose fee has not been paid, by then are lost. The locked tokens are not affected.

## The fee of a HALF claim

The fee of a HALF claim is {{claim_fee_percentage}}% of the whole claim, as for FULL, and not {{claim_fee_percentage}}% of the half that is sent after it is paid. An unpaid FULL claim can be cancelled after {{cancel_after_hours}} hours, a HALF claim cannot.
`,
} as const
