-- A plan that the contract allows can be booked: 36,500 days at the highest limit that its owner can set, 10,000 basis
-- points a day.
alter table earning_plan drop constraint earning_plan_rate_bps_check,
  add constraint earning_plan_rate_bps_check check (rate_bps between 1 and 365000000);
