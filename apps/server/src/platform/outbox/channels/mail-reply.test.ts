import { expect, test } from 'vitest'
import { blameOf } from './mail-reply.ts'

const blame = (text: string, command = 'RCPT TO') =>
  blameOf({ command, text, from: 'messages@example.org' })

test.each([
  '550 5.1.1 <holder@example.com>: Recipient address rejected: User unknown in virtual mailbox table',
  '550-5.1.1 The email account that you tried to reach does not exist. Please try\r\n550-5.1.1 double-checking the address',
  '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
  '550 5.1.2 <holder@nowhere.example>: Recipient address rejected: Domain not found',
  '550 5.1.3 The address is not a valid RFC 5321 address',
  '551 5.1.6 The mailbox has moved',
  '550 5.2.1 The email account that you tried to reach is disabled',
  '552 5.2.2 Mailbox full',
  '550 No such user here',
  '550 <holder@example.com>: user unknown',
  "554 delivery error: dd This user doesn't have a yahoo.com account",
  '550 5.7.1 No such user!',
  '550 5.1.1 <sender@example.com>: Recipient address rejected: User unknown',
])('the receiver does not exist: %s', (text) => expect(blame(text)).toBe('no receiver'))

test.each([
  '450 4.2.1 The user you are trying to contact is receiving mail too quickly',
  '450 4.2.0 <holder@example.com>: Recipient address rejected: Greylisted',
  '451 4.7.1 Greylisting in action, please come back later',
  '452 4.2.2 Mailbox full',
  '450 4.1.1 <holder@example.com>: Recipient address rejected: unverified address',
  '550 5.4.1 Recipient address rejected: Access denied',
  '550 Requested action not taken: mailbox unavailable',
  '450 4.2.1 The user you are trying to contact is receiving mail at a rate that prevents more',
  '550 #5.1.0 Address rejected.',
  '551 User not local',
  '550 User account is unavailable',
  // Perhaps the sender's, at a service that relays.
  '550 Account suspended',
])('only this receiver is affected, and perhaps not for good: %s', (text) =>
  expect(blame(text)).toBe('receiver'),
)

test.each([
  '550 5.1.8 <messages@example.org>: Sender address rejected: Domain not found',
  '553 5.1.7 <messages@example.org>: Sender address rejected: bad address syntax',
  '550 5.1.0 <messages@example.org>: Sender address rejected: User unknown in local recipient table',
  '550 5.1.1 <messages@example.org> User unknown',
  '504 5.5.2 <localhost>: Helo command rejected: need fully-qualified hostname',
  '550-Verification failed for <messages@example.org>\r\n550 Sender verify failed',
  '550 relay not permitted',
  '550 Relaying denied',
  '554 5.7.1 <holder@example.com>: Relay access denied',
  '454 4.7.1 <holder@example.com>: Relay access denied',
  '450 4.1.8 <messages@example.org>: Sender address rejected: Domain not found',
  '550 The from address does not match a verified Sender Identity.',
  '550 Service unavailable; client [192.0.2.1] blocked using zen.spamhaus.org',
  '530 5.7.0 Authentication required',
  '550 authentication required',
  '550 5.7.26 Unauthenticated email from example.org is not accepted due to domain’s DMARC policy',
  '550 5.7.23 SPF validation failed',
  '550 5.7.1 Our system has detected that this message is likely unsolicited mail',
  '550-5.7.1 [192.0.2.1] The IP you are using to send mail is not authorized',
  '550 5.4.4 Unable to route',
  '550 5.3.0 Rejected',
  '550 5.5.1 Invalid command',
  '452 4.5.3 Too many recipients today',
  '451 4.7.500 Server busy. Please try again later',
  '421 4.3.2 Service shutting down',
  '451 Temporary local problem',
  '552 5.3.4 Message size exceeds fixed limit',
  '550 5.1.1 Sending mailbox does not exist',
  '550 5.1.1 unknown account (login as a valid user)',
  '550 Invalid user account: your smtp login is suspended',
  '550 5.1.2 Originating domain not found',
  '553 5.1.3 The return path address is not valid',
  '552 5.2.2 Your sending quota is full',
  '554 5.2.0 MapiExceptionSubmissionQuotaExceeded; Failed to process message',
  '550 5.2.1 Mailbox disabled for outbound mail',
  '550 5.1.1 Backscatter: unknown user',
])('the receiver is not to blame: %s', (text) => {
  expect(blame(text)).toBe('sender')
  expect(blame(text, 'DATA')).toBe('sender')
})

test.each(['MAIL FROM', 'AUTH PLAIN', 'EHLO', 'STARTTLS', 'CONN'])(
  'whatever is said, a reply to %s is not about the receiver',
  (command) => expect(blame('550 5.1.1 User unknown', command)).toBe('sender'),
)

test('a server that looks the receiver up only after the message says so in reply to DATA', () => {
  expect(blame('550 5.1.1 User unknown', 'DATA')).toBe('no receiver')
})
