-- Sessions, links and challenges that the version before left: each takes the form of 0086.
update sessions set token_hash = sha256(convert_to(token, 'UTF8')) where token_hash is null;
-- copy_verification copies them
update verifications set updated_at = updated_at where expires_at > now();
