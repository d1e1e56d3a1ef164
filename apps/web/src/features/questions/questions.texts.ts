import { defineTexts } from '../../shared/i18n/texts.ts'

export const questionTexts = defineTexts('questions', {
  title: 'Common questions',
  lead: 'Short answers for those who have never used a plan, Tron or BSC before.',
  more: 'Your question is not here? Write to {email}.',

  begin: 'What do I need to begin?',
  beginText:
    'A Tron wallet such as TronLink, {minimum} to {maximum} DCT in it to lock, and some TRX for the costs of the Tron network. For a claim you will also need USDT and a little BNB in a wallet on BSC (BEP20).',
  energy: 'What are TRX and energy, and why do I need them?',
  energyText:
    'Every action on the Tron network uses energy and bandwidth. What your address does not have of them, the network takes from your TRX. Before your wallet asks you, we show how much that is, and refuse what would fail. None of it comes to us.',
  twice: 'Why does my wallet ask twice when I join?',
  twiceText:
    'First you allow the contract to take exactly the amount that you chose, then you lock it. The permission never covers more than that. If it was given before, your wallet asks only once.',
  earlier: 'Can I have my tokens back before the plan ends?',
  earlierText:
    'No. The contract holds them until the last day of the plan, and nobody, including us, can release them earlier. After that they return automatically, and only to the wallet that locked them.',
  cycle: 'What is a cycle, and when do I get my first reward?',
  cycleText:
    'A cycle is one calendar day in UTC+7. The first reward is credited at the beginning of the day after you joined, and one more on each day after that, until the plan ends.',
  minimum: 'Why can I not claim yet?',
  minimumText:
    'A claim needs at least {minimum} DCT of reward in one plan. The claim page names the day on which you reach it. After the last cycle there is no minimum.',
  kinds: 'FULL or HALF: what is the difference?',
  kindsText:
    'With FULL you pay the fee, and then the whole reward is sent. With HALF one half is sent immediately and the other after you paid the fee. The fee is the same. An unpaid FULL claim can be cancelled after {hours} hours, a HALF claim cannot.',
  fee: 'What does a claim cost, and why in USDT?',
  feeText:
    '{percentage}% of the claimed reward at the price of that moment, plus an energy fee of {energy} USDT. The fee pays for the service and for those who referred you. It is paid in USDT on BSC (BEP20) from your own wallet, so it is never deducted from your tokens. You see the exact amount before you confirm.',
  bsc: 'What is BSC (BEP20)?',
  bscText:
    'Another network than Tron, on which USDT exists as well. A payment there costs a little BNB. Choose BSC (BEP20) in your wallet before you send: USDT sent on another network, such as TRC20, does not arrive and is lost.',
  exact: 'Why must the fee be exact, and what if I sent another amount?',
  exactText:
    'The last digits tell whose fee a payment is, so only the exact amount settles it. Do not send the difference: write to {email} with the transaction’s hash. We see every payment, and attach it to your claim or refund it.',
  waiting: 'I paid. When is my reward sent?',
  waitingText:
    'Your payment is found automatically once it is final on BSC, usually within minutes. Your reward is sent within {hours} hours of that. Submitting the transaction’s hash only makes it faster.',
  unpaid: 'What happens if I do not pay the fee?',
  unpaidText:
    'What waits for the fee is not sent, and you cannot claim on that plan again. Rewards of later cycles are credited for a while; after that they are lost until you pay and claim again. The fee is accepted until {days} days after the end of the plan; then what waits for it is lost. What HALF has already sent stays yours.',
  freeze: 'What happens if I do not claim?',
  freezeText:
    'After {cycles} cycles without a claim, or later where the minimum takes longer, your earning is frozen. {grace} more cycles are still credited; after that each cycle’s reward is lost until you claim. Your locked tokens are not affected.',
  end: 'What happens when my plan ends?',
  endText:
    'Your locked tokens return to your wallet automatically. Rewards that are left can be claimed until {days} days after the end, and are lost after that.',
  referral: 'How do referral rewards work?',
  referralText:
    'When somebody whom you referred pays the fee of a claim, you are credited with a share of it. You claim it on the referral page for an address on BSC (BEP20); an admin approves the claim, and the USDT is sent there. Nobody pays more because you referred them.',
  proof: 'How do I know that my tokens and rewards are there?',
  proofText:
    'Every plan is funded before it can be joined, and joining reserves your whole reward in the contract. Everybody can compare what is owed with what the contracts hold, and check it on the blockchain.',
  proofLink: 'Obligations and reserves',
})
