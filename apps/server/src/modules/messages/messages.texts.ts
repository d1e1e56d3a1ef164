import { defineTexts } from './translate.ts'

/** The messages to holders in English; the other languages are in the catalogues of `apps/web/locales/`. */
export const messageTexts = defineTexts('messages', {
  freezeReminderTitle:
    '{days, plural, one {{plan} freezes in # day} other {{plan} freezes in # days}}',
  freezeReminderBody:
    'Your earning in {plan} freezes on {freezesOn} unless you claim before that day.{openFee, select, yes { To be able to claim, please pay the open fee of your last claim first.} other {}}{lapsesOn, select, none {} other { After the freeze, rewards are still credited for a short while; from {lapsesOn} on, each day’s reward is lost until you claim.}}',
  freezeReminderLaterBody:
    'Your earning in {plan} freezes on {freezesOn}. A claim is possible from {opensOn} on: please make it before the freeze.{openFee, select, yes { To be able to claim, please pay the open fee of your last claim first.} other {}}{lapsesOn, select, none {} other { From {lapsesOn} on, each day’s reward is lost until you claim.}}',
  freezeReminderGraceBody:
    'Your earning in {plan} freezes on {freezesOn}. It reaches the minimum claim only on {opensOn}, so a claim is possible from that day on, although the earning is frozen.{openFee, select, yes { To be able to claim, please pay the open fee of your last claim first.} other {}}{lapsesOn, select, none {} other { Please claim before {lapsesOn}: from that day on, each day’s reward is lost until you claim.}}',
  frozenTitle: 'Your earning in {plan} is frozen',
  frozenBody:
    'No claim was made from your earning in {plan} in time.{openFee, select, yes { Please pay the open fee of your last claim, and then claim.} other { Please claim now.}}{lapsesOn, select, none {} other { From {lapsesOn} on, each day’s reward is lost until you claim.}}',
  frozenLosingTitle: 'You are losing rewards in {plan}',
  frozenLosingBody:
    'Since {sinceOn}, each day’s reward from {plan} is lost, {amount} so far.{openFee, select, yes { Please pay the open fee of your last claim, and then claim.} other { Please claim now.}}',
  lastDaysClaimTitle:
    '{days, plural, =0 {Today is the last day to claim from {plan}} one {# day left to claim from {plan}} other {# days left to claim from {plan}}}',
  lastDaysClaimBody:
    'Your earning in {plan} has ended with {amount} unclaimed. The last day to claim is {lastOn}; after it they are lost.{openFee, select, yes { To be able to claim, please pay the open fee of your last claim first.} other {}}',
  lastDaysFeeTitle:
    '{days, plural, =0 {Today is the last day to pay your fee in {plan}} one {# day left to pay your fee in {plan}} other {# days left to pay your fee in {plan}}}',
  lastDaysFeeBody:
    'The fee of your last claim in {plan} is open. The last day to pay it is {lastOn}; after it the reward that waits for it is lost.',
  lapsedClaimTitle: 'Claim {claim} has lapsed',
  lapsedClaimBody:
    'The fee of claim {claim} in {plan} was not paid in time, so the {amount} that waited for it are lost. Please do not pay it any more.',
  lapsedRewardsTitle: 'Rewards from {plan} have lapsed',
  lapsedRewardsBody:
    '{amount} from your ended earning in {plan} were not claimed in time and are lost.',
  claimableTitle: 'You can claim from {plan}',
  claimableBody: 'You can now claim {amount} from your earning in {plan}.',
  feeSeenTitle: 'Your fee for claim {claim} has arrived',
  feeSeenBody:
    'Your payment of {amount} for claim {claim} in {plan} has been confirmed. The reward that was waiting for it is now being sent to your wallet.',
  feeSeenAgainTitle: 'Another payment for claim {claim} has arrived',
  feeSeenAgainBody:
    'Another {amount} arrived for the fee of claim {claim} in {plan}, which was paid already. It is not spent: an admin sends it back to the wallet it came from.',
  feeSeenWrongTitle: 'A payment differs from the fee of claim {claim}',
  feeSeenWrongBody:
    'A payment of {amount} has arrived that was probably meant for the fee of claim {claim} in {plan}, which is exactly {expected}. If it is yours, you need not pay again: an admin assigns it to your claim or sends it back to the wallet it came from.',
  feeSeenClosedTitle: 'A payment for claim {claim} came too late',
  feeSeenClosedBody:
    '{amount} arrived for the fee of claim {claim} in {plan}, which can no longer be paid. It is not spent: an admin sends it back to the wallet it came from.',
  rewardSentTitle: '{amount} has arrived in your wallet',
  rewardSentBody:
    'The reward of {amount} from claim {claim} in {plan} has been sent to your wallet. Transaction: {hash}',
  capitalReturnedTitle: '{amount} has returned to your wallet',
  capitalReturnedBody:
    'Your earning in {plan} has ended, and your capital of {amount} has been sent back to your wallet. Transaction: {hash}',
  referralRewardTitle: 'You have received a referral reward',
  referralRewardBody: 'You have earned {amount} from a claim fee that was paid in your downline.',
  referralClaimPaidTitle: 'Your referral claim has been paid',
  referralClaimPaidBody:
    '{amount} has been sent to the BSC address of your referral claim. Transaction: {hash}',
  newDeviceTitle: 'New login to your account',
  newDeviceBody:
    'Your wallet logged in from a device that we have not seen before: {device}, network {network}, {at}. If this was not you, log out everywhere on your account page and make sure that nobody else can use your wallet.',
  testTitle: 'Test message',
  testBody: 'Messages about your account will reach you this way.',
  confirmEmailTitle: 'Please confirm your e-mail address',
  confirmEmailBody:
    'Open this link to receive messages about your account at this address. It is valid for 24 hours. If you did not ask for it, simply ignore this message: nothing more will be sent to you.',
  open: 'Open: {link}',
  whyEmail: 'You receive this message because you asked for messages about your account at {site}.',
  settings: 'Choose what you receive: {link}',
  unsubscribe: 'Stop e-mails of this kind: {link}',
  chatLinked: 'This chat is now linked. Messages about your account at {site} will arrive here.',
  chatCodeInvalid:
    'This link is no longer valid. Please ask for a new one in your message settings: {link}',
})
