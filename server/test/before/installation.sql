-- An installation as the version before migration 0086 left it: made by that version itself.
-- What runs out is dated from the moment it is loaded.

insert into accounts (id, bio, role, email, website, username, full_name, created_at, first_name, show_email, updated_at, search_name, second_name, show_camera, alt_reminder, email_as_typed, email_verified, avatar_image_id, show_in_explore, findable_by_email, credentials_changed_at) values
  ('01a20a7d-e234-7d4d-a36a-fb9097a54390', '', 'member', 'ada@example.org', '', 'ada_before', 'ada Before', '2026-11-23T22:19:11.796+00:00', 'ada', false, '2026-11-23T22:19:11.796+00:00', 'adabefore ada_before', 'Before', false, true, 'ada@Example.org', false, '01a20a7d-e109-7e58-b32a-5c88a25c1b1b', true, true, '2026-11-23T22:19:11.668986+00:00'),
  ('01a20a7d-e2f6-7ba6-810b-8dad62258d8e', '', 'member', 'bea@example.org', '', 'bea_before', 'bea Before', '2026-11-23T22:19:11.99+00:00', 'bea', false, '2026-11-23T22:19:11.99+00:00', 'beabefore bea_before', 'Before', false, true, 'bea@Example.org', false, '01a20a7d-e284-76b6-979a-06c8aa46188f', true, true, '2026-11-23T22:19:12.066045+00:00'),
  ('01a20a7d-e3bc-7a03-8e26-9d80e5658aad', '', 'member', 'cyd@example.org', '', 'cyd_before', 'cyd Before', '2026-11-23T22:19:12.188+00:00', 'cyd', false, '2026-11-23T22:19:12.188+00:00', 'cydbefore cyd_before', 'Before', false, true, 'cyd@Example.org', false, '01a20a7d-e37e-7dc8-82b7-3d7899df94d9', true, true, '2026-11-23T22:19:12.184541+00:00'),
  ('01a20a7d-e447-7bfe-8268-a42fa7fe9e08', '', 'member', 'dan@example.org', '', 'dan_before', 'dan Before', '2026-11-23T22:19:12.326+00:00', 'dan', false, '2026-11-23T22:19:12.326+00:00', 'danbefore dan_before', 'Before', false, true, 'dan@Example.org', false, '01a20a7d-e3f8-783d-8f3c-17bde79b5375', true, true, '2026-11-23T22:19:12.325575+00:00'),
  ('01a20a7d-e516-7dfe-85d8-28d6ce502207', '', 'member', 'eve@example.org', '', 'eve_before', 'eve Before', '2026-11-23T22:19:12.534+00:00', 'eve', false, '2026-11-23T22:19:12.534+00:00', 'evebefore eve_before', 'Before', false, true, 'eve@Example.org', false, '01a20a7d-e4d5-76d6-bd4b-d524a9a9951f', true, true, '2026-11-23T22:19:12.533556+00:00'),
  ('01a20a7d-e570-783f-911b-6090e76a382f', '', 'member', 'fay@example.org', '', 'fay_before', 'fay Before', '2026-11-23T22:19:12.624+00:00', 'fay', false, '2026-11-23T22:19:12.624+00:00', 'faybefore fay_before', 'Before', false, true, 'fay@Example.org', false, '01a20a7d-e521-7bbb-b483-fc5f82ade518', true, true, '2026-11-23T22:19:12.622175+00:00'),
  ('01a20a7d-e5cb-79ae-b6d5-a274e5a6ddd5', '', 'member', 'gus.new@example.org', '', 'gus_before', 'gus Before', '2026-11-23T22:19:12.715+00:00', 'gus', false, '2026-11-23T22:19:12.715+00:00', 'gusbefore gus_before', 'Before', false, true, 'Gus.New@Example.org', true, '01a20a7d-e57f-736f-8721-216c331a78cf', true, true, '2026-11-23T22:19:12.714404+00:00');

insert into images (id, key, bytes, focus, width, height, widths, thumbhash, account_id, claimed_at, created_at, media_type) values
  ('01a20a7d-e109-7e58-b32a-5c88a25c1b1b', '2e733b0cd0c48654283c4962500e6ab4', 287, 0, 64, 48, '{64}', '\xd5050105808f09448b887888778788876078079977', '01a20a7d-e234-7d4d-a36a-fb9097a54390', '2026-11-23T22:19:11.668986+00:00', '2026-11-23T22:19:11.668986+00:00', 'image/jpeg'),
  ('01a20a7d-e284-76b6-979a-06c8aa46188f', '63a232ccc9b3e1d8f5d39a72a082eeaf', 287, 0, 64, 48, '{64}', '\xd5050105808f09448b887888778788876078079977', '01a20a7d-e2f6-7ba6-810b-8dad62258d8e', '2026-11-23T22:19:11.987691+00:00', '2026-11-23T22:19:11.987691+00:00', 'image/jpeg'),
  ('01a20a7d-e37e-7dc8-82b7-3d7899df94d9', '638403cd0aefd26bb4a5d48eee72a9b4', 287, 0, 64, 48, '{64}', '\xd5050105808f09448b887888778788876078079977', '01a20a7d-e3bc-7a03-8e26-9d80e5658aad', '2026-11-23T22:19:12.184541+00:00', '2026-11-23T22:19:12.184541+00:00', 'image/jpeg'),
  ('01a20a7d-e3f8-783d-8f3c-17bde79b5375', '52e7cf282fbe0befc6533a018137f6a4', 287, 0, 64, 48, '{64}', '\xd5050105808f09448b887888778788876078079977', '01a20a7d-e447-7bfe-8268-a42fa7fe9e08', '2026-11-23T22:19:12.325575+00:00', '2026-11-23T22:19:12.325575+00:00', 'image/jpeg'),
  ('01a20a7d-e4d5-76d6-bd4b-d524a9a9951f', '97aec75083f7f82a99a797d3c6a0c459', 287, 0, 64, 48, '{64}', '\xd5050105808f09448b887888778788876078079977', '01a20a7d-e516-7dfe-85d8-28d6ce502207', '2026-11-23T22:19:12.533556+00:00', '2026-11-23T22:19:12.533556+00:00', 'image/jpeg'),
  ('01a20a7d-e521-7bbb-b483-fc5f82ade518', 'da5f6b2621f769b75cc8bab35b82eed0', 287, 0, 64, 48, '{64}', '\xd5050105808f09448b887888778788876078079977', '01a20a7d-e570-783f-911b-6090e76a382f', '2026-11-23T22:19:12.622175+00:00', '2026-11-23T22:19:12.622175+00:00', 'image/jpeg'),
  ('01a20a7d-e57f-736f-8721-216c331a78cf', '5c6c5eacab8d48693ab21b4c4a12bf49', 287, 0, 64, 48, '{64}', '\xd5050105808f09448b887888778788876078079977', '01a20a7d-e5cb-79ae-b6d5-a274e5a6ddd5', '2026-11-23T22:19:12.714404+00:00', '2026-11-23T22:19:12.714404+00:00', 'image/jpeg');

insert into usernames (taken_at, username, account_id) values
  ('2026-11-23T22:19:11.668986+00:00', 'ada_before', '01a20a7d-e234-7d4d-a36a-fb9097a54390'),
  ('2026-11-23T22:19:11.987691+00:00', 'bea_before', '01a20a7d-e2f6-7ba6-810b-8dad62258d8e'),
  ('2026-11-23T22:19:12.184541+00:00', 'cyd_before', '01a20a7d-e3bc-7a03-8e26-9d80e5658aad'),
  ('2026-11-23T22:19:12.325575+00:00', 'dan_before', '01a20a7d-e447-7bfe-8268-a42fa7fe9e08'),
  ('2026-11-23T22:19:12.533556+00:00', 'eve_before', '01a20a7d-e516-7dfe-85d8-28d6ce502207'),
  ('2026-11-23T22:19:12.622175+00:00', 'fay_before', '01a20a7d-e570-783f-911b-6090e76a382f'),
  ('2026-11-23T22:19:12.714404+00:00', 'gus_before', '01a20a7d-e5cb-79ae-b6d5-a274e5a6ddd5');

insert into account_counters (posts, photos, followers, following, account_id, last_post_number) values
  (0, 0, 0, 0, '01a20a7d-e234-7d4d-a36a-fb9097a54390', 0),
  (0, 0, 0, 0, '01a20a7d-e2f6-7ba6-810b-8dad62258d8e', 0),
  (0, 0, 0, 0, '01a20a7d-e3bc-7a03-8e26-9d80e5658aad', 0),
  (0, 0, 0, 0, '01a20a7d-e447-7bfe-8268-a42fa7fe9e08', 0),
  (0, 0, 0, 0, '01a20a7d-e516-7dfe-85d8-28d6ce502207', 0),
  (0, 0, 0, 0, '01a20a7d-e570-783f-911b-6090e76a382f', 0),
  (0, 0, 0, 0, '01a20a7d-e5cb-79ae-b6d5-a274e5a6ddd5', 0);

insert into credentials (id, subject, password, account_id, created_at, updated_at, provider_id) values
  ('01a20a7d-e24a-7d2b-b3ab-bdf49574574d', '01a20a7d-e234-7d4d-a36a-fb9097a54390', '$argon2id$v=19$m=19456,t=2,p=1$seLXpeh1de7NjtsqLPA9yQ$PX+rYPk51pSMt5uhN34OWUVmwNIiyk6l7GCvXDj0Nm8', '01a20a7d-e234-7d4d-a36a-fb9097a54390', '2026-11-23T22:19:11.818+00:00', '2026-11-23T22:19:11.818+00:00', 'credential'),
  ('01a20a7d-e2f7-7d20-bb4f-ae5ad40637c7', '01a20a7d-e2f6-7ba6-810b-8dad62258d8e', '$argon2id$v=19$m=19456,t=2,p=1$jp6FrJ9xYUicZppMFW99oA$DDX5Ay7tR1J5ugnwXQ6FFHD4jJb5Vxm/P9gyt3EKJlQ', '01a20a7d-e2f6-7ba6-810b-8dad62258d8e', '2026-11-23T22:19:11.991+00:00', '2026-11-23T22:19:11.991+00:00', 'credential'),
  ('01a20a7d-e3bd-7052-a335-56c775517709', '01a20a7d-e3bc-7a03-8e26-9d80e5658aad', '$argon2id$v=19$m=19456,t=2,p=1$vT+gQIzqxQmo3WKsibwX8Q$I5CUNI6rK8qBI0NrAQsya0HfCaB2VSSGyw43tzgV2SE', '01a20a7d-e3bc-7a03-8e26-9d80e5658aad', '2026-11-23T22:19:12.189+00:00', '2026-11-23T22:19:12.189+00:00', 'credential'),
  ('01a20a7d-e448-7e71-830a-41d6d9371493', '01a20a7d-e447-7bfe-8268-a42fa7fe9e08', '$argon2id$v=19$m=19456,t=2,p=1$w8jwu2Vs5nGfDT0aWUw99w$2cjTSqeDm6TPMedv1eAz9osG37S0C4hX3fquHkcAFHU', '01a20a7d-e447-7bfe-8268-a42fa7fe9e08', '2026-11-23T22:19:12.328+00:00', '2026-11-23T22:19:12.328+00:00', 'credential'),
  ('01a20a7d-e518-7497-bf21-617d0e67934c', '01a20a7d-e516-7dfe-85d8-28d6ce502207', '$argon2id$v=19$m=19456,t=2,p=1$RKuSHL+qz4lAguQfVs447A$osfAGBqu6lp8UcWzeZWQcHcvgIPaBFI79APqupI9jUM', '01a20a7d-e516-7dfe-85d8-28d6ce502207', '2026-11-23T22:19:12.536+00:00', '2026-11-23T22:19:12.536+00:00', 'credential'),
  ('01a20a7d-e571-7d13-8966-4fb3cad53bc4', '01a20a7d-e570-783f-911b-6090e76a382f', '$argon2id$v=19$m=19456,t=2,p=1$x28QbeDk7wAFdJkk0j2aiA$8YHnjWUMqGgcnQEsIt0c+Y6Z/xZyM95poLuoNUA1pkc', '01a20a7d-e570-783f-911b-6090e76a382f', '2026-11-23T22:19:12.625+00:00', '2026-11-23T22:19:12.625+00:00', 'credential'),
  ('01a20a7d-e5cc-73dd-8a25-5f887494e2f8', '01a20a7d-e5cb-79ae-b6d5-a274e5a6ddd5', '$argon2id$v=19$m=19456,t=2,p=1$wQW9fzmNkD0kbN/jqwWcEg$2XnTz5v3K0spDFW13lZQPrZkd2pElh9dimc0pHQp0is', '01a20a7d-e5cb-79ae-b6d5-a274e5a6ddd5', '2026-11-23T22:19:12.716+00:00', '2026-11-23T22:19:12.716+00:00', 'credential');

insert into sessions (id, token, used_at, account_id, created_at, expires_at, ip_address, updated_at, user_agent, confirmed_at) values
  ('01a20a7d-e263-7b41-885f-400ec9630db6', 'FrtM7TFCWJHhpskZ7tRR4Wv7PDUXzxdc', now(), '01a20a7d-e234-7d4d-a36a-fb9097a54390', now(), now() + interval '1 day', '192.0.2.1', now(), 'a browser', null),
  ('01a20a7d-e27f-7e53-8491-ff18a6a25c80', '4dirY4G3exEiNaQFTiAzuyr03mI2eP_0', now(), '01a20a7d-e234-7d4d-a36a-fb9097a54390', now(), now() + interval '1 day', '192.0.2.1', now(), 'a browser', null),
  ('01a20a7d-e2f8-7d7d-9de6-7840f60fb811', 'ExgJkkuG0B4DJJQggvHaSzzOf675qa9z', now(), '01a20a7d-e2f6-7ba6-810b-8dad62258d8e', now(), now() + interval '1 day', '192.0.2.1', now(), 'a browser', '2026-11-23T22:19:12.056599+00:00'),
  ('01a20a7d-e3be-7594-8bed-a65630ae3603', '5hAdPkBteakbPWxHyyARBI576Fz2QYsa', now(), '01a20a7d-e3bc-7a03-8e26-9d80e5658aad', now(), now() + interval '1 day', '192.0.2.1', now(), 'a browser', '2026-11-23T22:19:12.233514+00:00'),
  ('01a20a7d-e449-7217-8af9-baf383a30568', 'JxHxn7w25oX08CtcZ9fuuUj4IzIajTYY', now(), '01a20a7d-e447-7bfe-8268-a42fa7fe9e08', now(), now() + interval '1 day', '192.0.2.1', now(), 'a browser', '2026-11-23T22:19:12.454336+00:00'),
  ('01a20a7d-e497-7615-af21-f486b593bd5d', 'zrzAlTrGuli46E1de-MFnipj2IkXIego', now(), '01a20a7d-e447-7bfe-8268-a42fa7fe9e08', now(), now() + interval '1 day', '192.0.2.1', now(), 'a browser', null),
  ('01a20a7d-e518-7497-bf21-617d0e67934d', 'dv28P9t1okYWwfenjhHTAFLlSNMYdO5v', now(), '01a20a7d-e516-7dfe-85d8-28d6ce502207', now(), now() + interval '1 day', '192.0.2.1', now(), 'a browser', null),
  ('01a20a7d-e571-7d13-8966-4fb3cad53bc5', 'eVFMpkz15J4TTWh95nGlspRbahgWSbFU', now(), '01a20a7d-e570-783f-911b-6090e76a382f', now(), now() + interval '1 day', '192.0.2.1', now(), 'a browser', null),
  ('01a20a7d-e5cd-7110-b26e-456860d14142', 'Ev9wscSqO2zaMIBiH0Klozmriu65MNQb', now(), '01a20a7d-e5cb-79ae-b6d5-a274e5a6ddd5', now(), now() + interval '1 day', '192.0.2.1', now(), 'a browser', null);

insert into two_factors (secret, last_step, account_id, created_at, confirmed_at) values
  ('2cc026737260e465331574ee1e5eecbbd9c9b4b6e64381dc823652397aea9e297c2c960ebbaea2fbd0d6ee5a26d86d10c56819c4646413145b1d4c9051d42c26cc62aa', 59849078, '01a20a7d-e2f6-7ba6-810b-8dad62258d8e', '2026-11-23T22:19:12.059593+00:00', '2026-11-23T22:19:12.061335+00:00'),
  ('fd98d746324575e3c970656e3d817ce8d5f946b1256b158c146548b6811ec0d478232a56e6877f3114946fa76119f643aad49f0b2b45fa008b7cf57ba0d188528a8717', 0, '01a20a7d-e3bc-7a03-8e26-9d80e5658aad', '2026-11-23T22:19:12.242774+00:00', null);

insert into recovery_codes (hash, account_id) values
  ('4v-tn_-viGMUdNHa_XYuVJKMl5NcVICVFrCsFNOIZ1k', '01a20a7d-e2f6-7ba6-810b-8dad62258d8e'),
  ('6bZbxjGb5EDSy0lMrMBsia2ACOf0qupZqMDdnSYztaw', '01a20a7d-e2f6-7ba6-810b-8dad62258d8e'),
  ('JlBlZEG_td545Y6iPcIqmRgEbbWS6mRa377U92SNBZg', '01a20a7d-e2f6-7ba6-810b-8dad62258d8e'),
  ('LZJcxnflaDNFTF46TD9ALF36KhLsxMzB2iNqkndxOpc', '01a20a7d-e2f6-7ba6-810b-8dad62258d8e'),
  ('OGmVZhdau9Up2DME99KUea28ofa2y59a0gfnkfbji1g', '01a20a7d-e2f6-7ba6-810b-8dad62258d8e'),
  ('Vad8FEYx-tYm_Nn9ZUlP_gDR57XTlZgsmNbqV98Wsvw', '01a20a7d-e2f6-7ba6-810b-8dad62258d8e'),
  ('_14mI9yqmwn4D9HMvrBs_qPLEfYaU7XNkAp3eUbUbTw', '01a20a7d-e2f6-7ba6-810b-8dad62258d8e'),
  ('gxSGXXgqpFF2f_z7MsiPDiFsf7CfIylh5etP9G2lynY', '01a20a7d-e2f6-7ba6-810b-8dad62258d8e'),
  ('hoWL8L3KsWrbKLMz7NhGj19Q7Vb0yr1YzFLSGCDOALs', '01a20a7d-e2f6-7ba6-810b-8dad62258d8e'),
  ('mwAOQp5r2n94zhSvhBWtcnXHYDxDRaadpTqJI5_bf6o', '01a20a7d-e2f6-7ba6-810b-8dad62258d8e');

insert into pending_sign_ins (account_id, expires_at, token_hash) values
  ('01a20a7d-e2f6-7ba6-810b-8dad62258d8e', now() + interval '1 day', 'CsJYhB2t_6ZVm_cLVpHTwbPzragxUYUWqCRy4KSdUNQ');

insert into passkeys (id, name, aaguid, counter, used_at, backed_up, account_id, created_at, public_key, transports, device_type, credential_id) values
  ('01a20a7d-e488-708c-886b-c00a1970d320', 'My phone', '00000000-0000-0000-0000-000000000000', 2, '2026-11-23T22:19:12.411016+00:00', false, '01a20a7d-e447-7bfe-8268-a42fa7fe9e08', '2026-11-23T22:19:12.392+00:00', 'pQECAyYgASFYIEIUP1UUxoIoQJzhu9r7azsVvLjkvhGt3AvwpAXZOwgRIlggPGtprySGhZn/u3vO0MqjEof5ANcBUjpib/TZuTr7Y9k=', 'internal', 'singleDevice', '7qcC6ZXX02Uq8ZsbYf-UMMYbPYoXD05vJlvtZCdGdmI');

insert into verifications (id, value, created_at, expires_at, identifier, updated_at) values
  ('01a20a7d-e4d2-7c6a-898d-7fdea513370b', '{"type":"registration","expectedChallenge":"webSKYp7Eq_EvreOML5FdAKDylk9EbnPKgGQxXfLlNM","userData":{"id":"01a20a7d-e447-7bfe-8268-a42fa7fe9e08","name":"dan@example.org","displayName":"dan@example.org"},"context":null}', now(), now() + interval '1 day', 'cXmN0edMEk2Hllp2Vt8ItTgiBTnBITsORXlgbg2-TuI', now()),
  ('01a20a7d-e4d3-7755-a0ac-fa3425154cee', '{"type":"authentication","expectedChallenge":"nuo_qyDyvcRgFNJI5aj1PW-i90LI0zwALDuqEH4hiUg","userData":{"id":""}}', now(), now() + interval '1 day', '0taF5It1Tt89Pz6joPwUqBCcZgB-_QfRRAzSRx1Dswk', now()),
  ('01a20a7d-e51e-7dec-9b23-e43473b12c3c', '+01a20a7d-e516-7dfe-85d8-28d6ce502207eve@example.org', now(), now() + interval '1 day', 'TIFEvweitXs3VuhWgQckGqv3HnE0UlvrLkyxc-Sj8A4', now()),
  ('01a20a7d-e51f-7eae-9a12-fdc9ab8fbbf5', '01a20a7d-e516-7dfe-85d8-28d6ce502207mailed', now(), now() + interval '1 day', 'MdiaEnumwKOOWEgf5zi0DqimfPRkd1eX18eAOUaoEWw', now()),
  ('01a20a7d-e51f-7eae-9a12-fdc9ab8fbbf6', '01a20a7d-e516-7dfe-85d8-28d6ce502207/saved', now(), now() + interval '1 day', 'MGsejFM-W2ABv1tUwc-0mFv-7cXj0XY8-DI3LtUb7DA', now()),
  ('01a20a7d-e578-7693-a921-763d26f4ab94', '01a20a7d-e570-783f-911b-6090e76a382f01a20a7d-e577-7f89-95d7-1acc9bb07795', now(), now() + interval '1 day', 'H7WOOLUX4SWs-Wo8mNDKylaRYNu7Gq8b-XrdNZIlE_I', now()),
  ('01a20a7d-e5d3-7bcd-9d4f-9c8316acfc55', '+01a20a7d-e5cb-79ae-b6d5-a274e5a6ddd501a20a7d-e5d1-79f6-9e67-428b5b91d880', now(), now() + interval '1 day', 'JeX_fktHZM421x5CRE0opCCTXU0QHvo7YgtYs9Pm-NU', now());

insert into email_changes (id, new_email, old_email, account_id, created_at, confirmed_at, old_verified) values
  ('01a20a7d-e577-7f89-95d7-1acc9bb07795', 'Fay.New@Example.org', 'fay@Example.org', '01a20a7d-e570-783f-911b-6090e76a382f', now(), null, false),
  ('01a20a7d-e5d1-79f6-9e67-428b5b91d880', 'Gus.New@Example.org', 'Gus@Example.org', '01a20a7d-e5cb-79ae-b6d5-a274e5a6ddd5', now(), now(), true);
