CREATE TABLE author_revisions (
	id BIGINT NOT NULL,
	screen VARCHAR COLLATE "C" NOT NULL,
	kind VARCHAR COLLATE "C" NOT NULL,
	subject VARCHAR COLLATE "C" NOT NULL,
	version INTEGER NOT NULL,
	author VARCHAR COLLATE "C" NOT NULL,
	created VARCHAR COLLATE "C" NOT NULL,
	document VARCHAR COLLATE "C" NOT NULL,
	PRIMARY KEY (id),
	CONSTRAINT author_revisions_once UNIQUE (kind, subject, version)
);
CREATE TABLE ledger_asks (
	key VARCHAR COLLATE "C" NOT NULL,
	question VARCHAR COLLATE "C" NOT NULL,
	model VARCHAR COLLATE "C" NOT NULL,
	base_url VARCHAR COLLATE "C" NOT NULL,
	dialect VARCHAR COLLATE "C" NOT NULL,
	pack VARCHAR COLLATE "C" NOT NULL,
	parameters VARCHAR COLLATE "C" NOT NULL,
	transcript VARCHAR COLLATE "C" NOT NULL,
	PRIMARY KEY (key)
);
CREATE TABLE ledger_attempts (
	id VARCHAR COLLATE "C" NOT NULL,
	run VARCHAR COLLATE "C" NOT NULL,
	question VARCHAR COLLATE "C" NOT NULL,
	task VARCHAR COLLATE "C" NOT NULL,
	model VARCHAR COLLATE "C" NOT NULL,
	strategy VARCHAR COLLATE "C" NOT NULL,
	trial INTEGER NOT NULL,
	subject VARCHAR COLLATE "C" DEFAULT '' NOT NULL,
	PRIMARY KEY (id)
);
CREATE TABLE ledger_certificates (
	id VARCHAR COLLATE "C" NOT NULL,
	task VARCHAR COLLATE "C" NOT NULL,
	judge VARCHAR COLLATE "C" NOT NULL,
	base_url VARCHAR COLLATE "C" NOT NULL,
	pack VARCHAR COLLATE "C" NOT NULL,
	prompt VARCHAR COLLATE "C" NOT NULL,
	parameters VARCHAR COLLATE "C" NOT NULL,
	created VARCHAR COLLATE "C" NOT NULL,
	document VARCHAR COLLATE "C" NOT NULL,
	PRIMARY KEY (id)
);
CREATE TABLE ledger_pictures (
	digest VARCHAR COLLATE "C" NOT NULL,
	source VARCHAR COLLATE "C" NOT NULL,
	recipe VARCHAR COLLATE "C" NOT NULL,
	PRIMARY KEY (digest)
);
CREATE TABLE ledger_questions (
	run VARCHAR COLLATE "C" NOT NULL,
	id VARCHAR COLLATE "C" NOT NULL,
	task VARCHAR COLLATE "C" NOT NULL,
	item VARCHAR COLLATE "C" NOT NULL,
	axes VARCHAR COLLATE "C" NOT NULL,
	truth VARCHAR COLLATE "C" NOT NULL,
	tags VARCHAR COLLATE "C" NOT NULL,
	cluster VARCHAR COLLATE "C" NOT NULL,
	PRIMARY KEY (run, id)
);
CREATE TABLE ledger_replies (
	id BIGINT NOT NULL,
	key VARCHAR COLLATE "C" NOT NULL,
	run VARCHAR COLLATE "C" NOT NULL,
	finish VARCHAR COLLATE "C" NOT NULL,
	error VARCHAR COLLATE "C" NOT NULL,
	permanent BOOLEAN NOT NULL,
	input_tokens BIGINT,
	output_tokens BIGINT,
	reasoning_tokens BIGINT,
	seconds FLOAT NOT NULL,
	served_by VARCHAR COLLATE "C" NOT NULL,
	requests INTEGER NOT NULL,
	created VARCHAR COLLATE "C" NOT NULL,
	text VARCHAR COLLATE "C" NOT NULL,
	reasoning VARCHAR COLLATE "C" NOT NULL,
	PRIMARY KEY (id)
);
CREATE TABLE ledger_runs (
	id VARCHAR COLLATE "C" NOT NULL,
	name VARCHAR COLLATE "C" NOT NULL,
	settings VARCHAR COLLATE "C" NOT NULL,
	dataset VARCHAR COLLATE "C" NOT NULL,
	fresh BOOLEAN NOT NULL,
	created VARCHAR COLLATE "C" NOT NULL,
	PRIMARY KEY (id),
	UNIQUE (name)
);
CREATE TABLE ledger_sources (
	digest VARCHAR COLLATE "C" NOT NULL,
	path VARCHAR COLLATE "C" NOT NULL,
	PRIMARY KEY (digest)
);
CREATE TABLE ledger_steps (
	attempt VARCHAR COLLATE "C" NOT NULL,
	round INTEGER NOT NULL,
	place INTEGER NOT NULL,
	retry INTEGER NOT NULL,
	reply BIGINT NOT NULL,
	PRIMARY KEY (attempt, round, place, retry, reply)
);
CREATE TABLE ledger_verdicts (
	id BIGINT NOT NULL,
	attempt VARCHAR COLLATE "C" NOT NULL,
	ended VARCHAR COLLATE "C" NOT NULL,
	answer VARCHAR COLLATE "C",
	score FLOAT,
	reason VARCHAR COLLATE "C" NOT NULL,
	detail VARCHAR COLLATE "C" NOT NULL,
	first_ended VARCHAR COLLATE "C" NOT NULL,
	first_score FLOAT,
	created VARCHAR COLLATE "C" NOT NULL,
	PRIMARY KEY (id)
);
CREATE TABLE schema_version (
	version INTEGER NOT NULL,
	PRIMARY KEY (version)
);
CREATE TABLE studio_strokes (
	key VARCHAR COLLATE "C" NOT NULL,
	author VARCHAR COLLATE "C" NOT NULL,
	created VARCHAR COLLATE "C" NOT NULL,
	content VARCHAR COLLATE "C" NOT NULL,
	revisions VARCHAR COLLATE "C" NOT NULL,
	PRIMARY KEY (key)
);
CREATE INDEX author_revisions_by_screen ON author_revisions (screen, kind, subject, version);
CREATE INDEX ledger_attempts_by_run ON ledger_attempts (run, task, model);
CREATE INDEX ledger_replies_by_key ON ledger_replies (key, finish, id);
CREATE INDEX ledger_replies_by_run ON ledger_replies (run);
CREATE INDEX ledger_verdicts_by_attempt ON ledger_verdicts (attempt, id);
